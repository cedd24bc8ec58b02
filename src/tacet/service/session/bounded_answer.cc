#include "tacet/service/session/bounded_answer.h"

#include <fmt/format.h>

#include "tacet/report/text_table.h"

namespace tacet::service {
namespace {

AnswerTable<PopulationInterval> population_table() {
  return AnswerTable<PopulationInterval>()
      .value("queries", &PopulationInterval::queries, "holds for so many answers together, however they were chosen")
      .value("beta", &PopulationInterval::beta, "the probability that some of them is outside")
      .value("width", &PopulationInterval::width, "the half-width")
      .value("lower", &PopulationInterval::lower, "the lower end")
      .value("upper", &PopulationInterval::upper, "the upper end");
}

}  // namespace

AnswerTable<AnswerIntervals> interval_table() {
  return AnswerTable<AnswerIntervals>()
      .value("confidence", &AnswerIntervals::confidence, "of the interval for the file")
      .value("half_width", &AnswerIntervals::half_width, "of the interval for the file")
      .value("lower", &AnswerIntervals::lower, "its lower end")
      .value("upper", &AnswerIntervals::upper, "its upper end")
      .object("population", &AnswerIntervals::population, population_table(), "for the population; null without a number of queries");
}

std::string answer_words(const QueryRelease& release) {
  std::string out = fmt::format("  {}\n  {:.6g}", report::printable(release.columns.front()), release.mean().front());
  const auto intervals = answer_intervals(release);
  if (!intervals.ok()) return out + "\n";
  out += fmt::format(", noise (sd) {:.3g}\nIn the file: {:.6g} to {:.6g} with probability {:g}.\n", release.mean_sd().front(),
                     intervals->lower, intervals->upper, intervals->confidence);
  if (!intervals->population) return out;
  const PopulationInterval& all = *intervals->population;
  return out + fmt::format(
                   "In the population: {:.6g} to {:.6g} ({:.4g} around the answer). With probability {:g} this holds for all of {} "
                   "answers with this noise together, however they were chosen, if nothing else was released from these rows.\n",
                   all.lower, all.upper, all.width, 1 - all.beta, all.queries);
}

}  // namespace tacet::service
