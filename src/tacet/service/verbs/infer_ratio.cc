#include <functional>
#include <string>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/interval_answer.h"
#include "tacet/service/simulation_fields.h"
#include "tacet/workflow/infer/ratio.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet::service {

/// "smoking=current given disease=lung".
template <>
struct Codec<ProportionOf> {
  static constexpr FieldKind kKind = FieldKind::Text;
  static Result<ProportionOf> read(const Json& value, const std::string& name) {
    return parse_proportion(value.get_ref<const std::string&>(), name);
  }
  static Json write(const ProportionOf& p) { return p.given ? text_of(p.of) + " given " + text_of(*p.given) : text_of(p.of); }
  static Json schema() { return {{"type", "string"}}; }
};

}  // namespace tacet::service

namespace tacet::service::infer_ratio_verb {
namespace {

struct Request {
  std::string release;
  RatioOptions options;
};
using Reply = RatioAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  context.tell("reading the release");
  TACET_TRY(const CountRelease release, read_release_as<CountRelease>(request.release));
  return infer_ratio(release, request.options, context);
}

std::string v_words(const Reply& reply) {
  const std::string columns = reply.rows && reply.columns
                                  ? fmt::format("{} and {}", report::printable(*reply.rows), report::printable(*reply.columns))
                                  : "rows and columns";
  if (!reply.estimate) return fmt::format("Inconclusive for Cramer's V of {}: {}.\n", columns, reply.reason.value_or(""));
  return fmt::format("Cramer's V of {} is about {} (0: independent, 1: one determines the other): {}.\n", columns,
                     short_value(*reply.estimate), interval_words(reply.population, reply.file));
}

std::string ratio_words(const Reply& reply) {
  const ProportionRow& first = reply.proportions[0];
  const ProportionRow& second = reply.proportions[1];
  std::string out;
  for (const ProportionRow& row : reply.proportions)
    if (row.estimate) out += fmt::format("The proportion of {} is about {}.\n", proportion_name(row), short_value(*row.estimate));
  if (first.reason || second.reason) return out + fmt::format("Inconclusive: {}.\n", reply.reason.value_or(""));
  const std::string about = reply.estimate ? "about " + short_value(*reply.estimate) : "not finite";
  const std::string between = interval_words(reply.population, reply.file);
  if (reply.measure == RatioMeasure::Difference) {
    out += fmt::format("The difference is {}: {}.\n", about, between);
  } else {
    const bool odds = reply.measure == RatioMeasure::OddsRatio;
    out += reply.estimate ? fmt::format("The {} of the first {} {} times {} of the second: {}.\n", odds ? "odds" : "proportion",
                                        odds ? "are" : "is", about, odds ? "those" : "that", between)
                          : fmt::format("The {} is not finite: {}.\n", odds ? "odds ratio" : "ratio", between);
  }
  if (reply.reason) out += fmt::format("Note: {}.\n", *reply.reason);
  return out;
}

std::string words(const Reply& reply) {
  return (reply.measure == RatioMeasure::CramersV ? v_words(reply) : ratio_words(reply)) + left_out_words(reply.left_out) +
         fmt::format("Each interval holds with probability {}.{}This cost no privacy.\n", reply.confidence, about_words(reply.about, " "));
}

}  // namespace

Verb make() {
  const auto option = [](auto member) { return [member](Request& request) -> auto& { return request.options.*member; }; };
  return verb<Request, Reply>(
      {.name = "infer ratio",
       .summary = "Compare two proportions of a release: ratio, odds ratio or difference; or Cramer's V of two variables",
       .example = "tacet infer ratio --release smoking.json --of \"disease=lung given smoking=current\" --to \"disease=lung given "
                  "smoking=never\" --measure odds-ratio",
       .library = LibraryFunction{"infer_ratio", "tacet/workflow/infer/ratio.h"},
       .request =
           RequestTable<Request>()
               .required("release", &Request::release, "FILE", "a release file with counts")
               .field("of", option(&RatioOptions::of), "E", "a proportion: \"disease=lung given smoking=current\"")
               .field("to", option(&RatioOptions::to), "E", "the proportion to compare it with")
               .field("measure", option(&RatioOptions::measure), "M", "how they are compared")
               .field("confidence", option(&RatioOptions::confidence), "C", "the level of each interval")
               .field("rows", option(&RatioOptions::rows), "NAME", "for cramers-v, with columns: the two variables of a release of more")
               .field("columns", option(&RatioOptions::columns), "NAME", "for cramers-v, with rows: the other variable")
               .include(&Request::options,
                        simulation_table<RatioOptions>(&RatioOptions::simulation,
                                                       "for cramers-v: tables to simulate at each value, by default 4,000")),
       .answer = AnswerTable<Reply>()
                     .value("measure", &Reply::measure, "how they are compared")
                     .include(std::identity(), interval_answer<Reply>())
                     .value("confidence", &Reply::confidence, "the level of each interval")
                     .value("reason", &Reply::reason, "why there is no estimate or no upper end; null otherwise")
                     .list("proportions", &Reply::proportions, proportion_row_answer(), "the two proportions; none for Cramer's V")
                     .value("rows", &Reply::rows, "the variable of the rows, for Cramer's V")
                     .value("columns", &Reply::columns, "the variable of the columns, for Cramer's V")
                     .value(
                         "draws", [](const Reply& r) -> std::optional<std::uint64_t> { return r.draws; },
                         "the tables simulated at each value, for Cramer's V")
                     .include(std::identity(), left_out_answer<Reply>())
                     .include(&Reply::about, about_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_ratio_verb
