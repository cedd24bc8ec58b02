#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/interval_answer.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet::service::infer_proportion_verb {
namespace {

struct Request {
  std::string release;
  std::vector<std::string> of;
  std::optional<std::string> given, minus;
  double confidence = 0.95;
  IntervalKind intervals = IntervalKind::Marginal;
};
using Reply = ProportionAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  ProportionOptions options{.confidence = request.confidence, .intervals = request.intervals};
  std::optional<TableEvent> given;
  if (request.given) {
    TACET_TRY(given, parse_event(*request.given, "given"));
  }
  for (const std::string& text : request.of) {
    TACET_TRY(ProportionOf asked, parse_proportion(text, "of"));
    if (!asked.given) asked.given = given;
    options.of.push_back(std::move(asked));
  }
  if (request.minus) {
    TACET_TRY(options.minus, parse_proportion(*request.minus, "minus"));
    if (!options.minus->given) options.minus->given = given;
  }
  context.tell("reading the release");
  TACET_TRY(const CountRelease release, read_release_as<CountRelease>(request.release));
  return infer_proportions(release, options);
}

std::string row_words(const ProportionRow& row) {
  if (row.reason) return fmt::format("Inconclusive for {}: {}.\n", proportion_name(row), *row.reason);
  return fmt::format("The proportion of {} is about {}: {}.\n", proportion_name(row), short_value(*row.estimate),
                     interval_words(row.population, row.file));
}

std::string words(const Reply& reply) {
  std::string out;
  for (const ProportionRow& row : reply.rows) out += row_words(row);
  if (reply.difference) {
    const ProportionDifference& found = *reply.difference;
    out += found.estimate ? fmt::format("The difference is about {}: {}.\n", short_value(*found.estimate),
                                        interval_words(found.population, found.file))
                          : fmt::format("Inconclusive for the difference: {}.\n", found.reason.value_or(""));
  }
  const bool together = reply.intervals == IntervalKind::Simultaneous;
  out += reply.rows.size() == 1
             ? fmt::format("Each interval holds with probability {}.\n", reply.confidence)
             : fmt::format("{} with probability {}{}.\n", together ? "All intervals of a kind hold together" : "Each interval holds",
                           reply.confidence, together ? "" : ", not all of them together");
  return out + about_words(reply.about) + "This cost no privacy.\n";
}

/// Shows the difference, or each proportion.
constexpr auto kShown = [](const Reply& reply, const auto& show) {
  if (reply.difference) {
    show(*reply.difference);
  } else {
    for (const ProportionRow& row : reply.rows) show(row);
  }
};

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "infer proportion",
       .summary = "Estimate proportions of people from a release, or the difference of two",
       .example = "tacet infer proportion --release smoking.json --of \"smoking=current given disease=lung\"",
       .library = LibraryFunction{"infer_proportions", "tacet/workflow/infer/proportion.h"},
       .request = RequestTable<Request>()
                      .required("release", &Request::release, "FILE", "a release file with counts")
                      .required("of", &Request::of, "E,...",
                                "whose proportion: smoking=current, smoking=current|former, \"smoking=current given disease=lung\"")
                      .field("given", &Request::given, "E", "among whom, where a proportion does not say: disease=lung")
                      .field("minus", &Request::minus, "E", "a proportion to subtract from the first")
                      .field("confidence", &Request::confidence, "C", "the level of the intervals")
                      .field("intervals", &Request::intervals, "I", "whether each one holds, or all together (Bonferroni)"),
       .answer = AnswerTable<Reply>()
                     .include(std::identity(),
                              listed_interval_answer<Reply>(kShown, "the proportion or the difference; a list of several proportions"))
                     .value("confidence", &Reply::confidence, "the level of the intervals")
                     .value("intervals", &Reply::intervals, "whether each one holds, or all together")
                     .list("rows", &Reply::rows, proportion_row_answer(), "each proportion with its intervals")
                     .value(
                         "reason", [](const Reply& r) { return r.difference ? r.difference->reason : std::nullopt; },
                         "why the difference is not known; null otherwise")
                     .include(&Reply::about, about_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_proportion_verb
