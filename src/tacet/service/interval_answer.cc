#include "tacet/service/interval_answer.h"

#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "tacet/report/text_table.h"

namespace tacet::service {
namespace {

std::string range_words(const Interval& interval) {
  if (std::isinf(interval.upper)) return fmt::format("at least {}, without an upper end,", short_value(interval.lower));
  return fmt::format("between {} and {}", short_value(interval.lower), short_value(interval.upper));
}

}  // namespace

AnswerTable<ProportionRow> proportion_row_answer() {
  return AnswerTable<ProportionRow>()
      .value("of", &ProportionRow::of, "whose proportion it is")
      .value("given", &ProportionRow::given, "among whom; null: among all")
      .include(std::identity(), interval_answer<ProportionRow>())
      .value(
          "people", [](const ProportionRow& row) { return row.people; }, "the estimated number of people, or rows, among whom")
      .value("reason", [](const ProportionRow& row) { return row.reason; }, "why nothing is known; null otherwise");
}

std::string short_value(double value) { return fmt::format("{:.4g}", value == 0 ? 0.0 : value); }

std::string interval_words(const std::optional<Interval>& population, const Interval& file) {
  const std::string in_population = population ? range_words(*population) + " in the population, " : std::string();
  return fmt::format("{}{} in the file", in_population, range_words(file));
}

AnswerTable<AboutWhom> about_answer() {
  return AnswerTable<AboutWhom>()
      .value("counted", &AboutWhom::counted, "whether the numbers are of people or of rows")
      .value("no_population", &AboutWhom::no_population, "why there is no interval for the population; null where there is one");
}

std::string about_words(const AboutWhom& about, const std::string& between) {
  if (!about.no_population) return between;
  return fmt::format(
      "{}{}There is no interval for the population: {}.\n", between.empty() ? "" : "\n",
      about.counted == Counted::Rows ? "Numbers are of rows, not of people. " : "A person counts in each cell where they have a row. ",
      *about.no_population);
}

std::string left_out_words(const std::vector<std::string>& left_out) {
  if (left_out.empty()) return {};
  return fmt::format("Left out, as noise may be all there is: {}.\n", report::printable(fmt::format("{}", fmt::join(left_out, ", "))));
}

std::string proportion_name(const ProportionRow& row) {
  return report::printable(row.given ? fmt::format("{} among those with {}", row.of, *row.given) : row.of);
}

}  // namespace tacet::service
