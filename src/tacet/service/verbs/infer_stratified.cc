#include <functional>
#include <string>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/count_test_answer.h"
#include "tacet/service/interval_answer.h"
#include "tacet/workflow/infer/stratified.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet::service::infer_stratified_verb {
namespace {

struct Request {
  std::string release;
  StratifiedOptions options;
};
using Reply = StratifiedAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  context.tell("reading the release");
  TACET_TRY(const CountRelease release, read_release_as<CountRelease>(request.release));
  return infer_stratified(release, request.options, context);
}

std::string odds_words(const Reply& reply) {
  if (reply.row_labels.size() != 2 || reply.column_labels.size() != 2) return {};
  if (!reply.odds_ratio)
    return fmt::format("The common odds ratio is not known: {}.\n", reply.interval_reason.value_or("the test is inconclusive"));
  const std::string rows = report::printable(reply.rows);
  return fmt::format("The odds of {}={} are about {} times as high with {}={} as with {}={}, in every stratum (Mantel-Haenszel): {}.\n",
                     report::printable(reply.columns), report::printable(reply.column_labels[0]), short_value(*reply.odds_ratio), rows,
                     report::printable(reply.row_labels[0]), rows, report::printable(reply.row_labels[1]),
                     interval_words(reply.population, *reply.file));
}

std::string words(const Reply& reply) {
  const std::string both = fmt::format("{} and {}", report::printable(reply.rows), report::printable(reply.columns));
  const std::string within = report::printable(fmt::format("{}", fmt::join(reply.strata, ", ")));
  return odds_words(reply) + left_out_words(reply.left_out) +
         count_test_words(reply, {.null = fmt::format("independence of {} within {}", both, within),
                                  .rejected = fmt::format("{} depend on each other within {}", both, within)});
}

}  // namespace

Verb make() {
  const auto option = [](auto member) { return [member](Request& request) -> auto& { return request.options.*member; }; };
  return verb<Request, Reply>(
      {.name = "infer stratified",
       .summary = "Test two variables for independence within strata (Cochran-Mantel-Haenszel), with the common odds ratio of 2 x 2 tables",
       .example = "tacet infer stratified --release by_region.json --rows 2 --columns 3 --strata 1",
       .library = LibraryFunction{"infer_stratified", "tacet/workflow/infer/stratified.h"},
       .request = RequestTable<Request>()
                      .required("release", &Request::release, "FILE", "a release file with counts of three or more variables")
                      .required("rows", option(&StratifiedOptions::rows), "NAME", "one variable")
                      .required("columns", option(&StratifiedOptions::columns), "NAME", "the other variable")
                      .required("strata", option(&StratifiedOptions::strata), "a,b", "the columns whose categories are the strata")
                      .field("alpha", option(&StratifiedOptions::alpha), "A", "the level of the test, and 1 minus that of the intervals")
                      .include(&Request::options, simulation_table<StratifiedOptions>(&StratifiedOptions::simulation,
                                                                                      "the most tables to simulate; by default 9,999")),
       .answer = AnswerTable<Reply>()
                     .value("estimate", &Reply::odds_ratio, "the common odds ratio of 2 x 2 tables; may be null")
                     .include(std::identity(), optional_interval_answer<Reply>())
                     .value("interval_reason", &Reply::interval_reason, "why there is no odds ratio; null otherwise")
                     .value("rows", &Reply::rows, "one variable")
                     .value("columns", &Reply::columns, "the other variable")
                     .value("strata", &Reply::strata, "the columns whose categories are the strata")
                     .include(std::identity(), left_out_answer<Reply>())
                     .include(std::identity(), count_test_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_stratified_verb
