#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/interval_answer.h"
#include "tacet/workflow/infer/margin.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet::service::infer_margin_verb {
namespace {

struct Request {
  std::string release;
  MarginOptions options;
};
using Reply = MarginAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  context.tell("reading the release");
  TACET_TRY(const CountRelease release, read_release_as<CountRelease>(request.release));
  return infer_margin(release, request.options);
}

std::string in_brackets(const Interval& interval) {
  return fmt::format("[{}, {}]", short_value(interval.lower), short_value(interval.upper));
}

std::string counts_in_brackets(const Interval& interval) {
  return fmt::format("[{}, {}]", report::readable(interval.lower), report::readable(interval.upper));
}

std::string words(const Reply& reply) {
  const std::string counted(name(reply.about.counted));
  std::vector<std::string> header = {reply.given.empty() ? "of" : "of, given", counted + " in the file", "proportion", "in the file"};
  if (!reply.about.no_population) header.emplace_back("in the population");
  report::TextTable table(std::move(header));
  for (const MarginRow& row : reply.rows) {
    const std::string name = row.given ? fmt::format("{}, given {}", row.of, *row.given) : row.of;
    std::vector<std::string> shown = {name, fmt::format("{} {}", report::readable(row.count), counts_in_brackets(row.count_in)),
                                      row.estimate ? short_value(*row.estimate) : "unknown", in_brackets(row.file)};
    if (row.population) shown.push_back(in_brackets(*row.population));
    table.add(std::move(shown));
  }
  const bool together = reply.intervals == IntervalKind::Simultaneous;
  std::string out = fmt::format("{} and {}proportions by {}:\n", reply.about.counted == Counted::Rows ? "Rows" : "People",
                                reply.given.empty() ? "" : "conditional ", report::printable(fmt::format("{}", fmt::join(reply.of, ", "))));
  out += table.render();
  for (const MarginRow& row : reply.rows) {
    if (!row.reason) continue;
    out += fmt::format("Unknown where {}.\n", *row.reason);
    break;
  }
  return out + fmt::format("{} with probability {}.{}This cost no privacy.\n",
                           together ? "All intervals of a column hold together" : "Each interval holds, not all of them together,",
                           reply.confidence, about_words(reply.about, " "));
}

template <class Number>
auto nested(Number number) {
  return [number](const Reply& reply) {
    std::vector<double> all;
    for (const MarginRow& row : reply.rows) all.push_back(number(row));
    return mechanisms::nested(all, reply.shape);
  };
}

}  // namespace

Verb make() {
  const auto option = [](auto member) { return [member](Request& request) -> auto& { return request.options.*member; }; };
  const Json list = {{"type", "array"}};
  return verb<Request, Reply>(
      {.name = "infer margin",
       .summary = "Estimate the table of some columns of a release: people and proportions, or proportions given other columns",
       .example = "tacet infer margin --release smoking.json --of disease --given smoking",
       .library = LibraryFunction{"infer_margin", "tacet/workflow/infer/margin.h"},
       .request = RequestTable<Request>()
                      .required("release", &Request::release, "FILE", "a release file with counts")
                      .required("of", option(&MarginOptions::of), "a,b", "the columns of the table; the others are added up")
                      .field("given", option(&MarginOptions::given), "a,b", "columns among whose categories proportions are taken")
                      .field("confidence", option(&MarginOptions::confidence), "C", "the level of the intervals")
                      .field("intervals", option(&MarginOptions::intervals), "I", "whether each one holds, or all together (Bonferroni)"),
       .answer =
           AnswerTable<Reply>()
               .json("estimate", nested([](const MarginRow& r) { return r.estimate.value_or(HUGE_VAL); }), list,
                     "the proportions, nested as the table is: the columns of given first; null: not known")
               .json("lower", nested([](const MarginRow& r) { return end_of(r.population, &Interval::lower).value_or(HUGE_VAL); }), list,
                     "the lower ends for the population: noise and sampling; null where a person may count several times")
               .json("upper", nested([](const MarginRow& r) { return end_of(r.population, &Interval::upper).value_or(HUGE_VAL); }), list,
                     "the upper ends for the population")
               .json("file_lower", nested([](const MarginRow& r) { return r.file.lower; }), list,
                     "the lower ends for the people, or rows, of the file: noise alone")
               .json("file_upper", nested([](const MarginRow& r) { return r.file.upper; }), list, "the upper ends for the file")
               .json("counts", nested([](const MarginRow& r) { return r.count; }), list, "the estimated people, or rows, of each cell")
               .json("counts_lower", nested([](const MarginRow& r) { return r.count_in.lower; }), list, "the lower ends for the file")
               .json("counts_upper", nested([](const MarginRow& r) { return r.count_in.upper; }), list, "the upper ends for the file")
               .value("of", &Reply::of, "the columns of the table")
               .value("given", &Reply::given, "the columns among whose categories proportions are taken")
               .value("confidence", &Reply::confidence, "the level of the intervals")
               .value("intervals", &Reply::intervals, "whether each one holds, or all together")
               .list("rows", &Reply::rows, AnswerTable<MarginRow>().include(std::identity(), proportion_row_answer()),
                     "each cell with its words")
               .include(&Reply::about, about_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_margin_verb
