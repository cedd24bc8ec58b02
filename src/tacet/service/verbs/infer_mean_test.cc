#include <utility>

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/mean_fields.h"
#include "tacet/service/p_value_words.h"
#include "tacet/workflow/infer/test_mean.h"

namespace tacet::service::infer_mean_test_verb {
namespace {

using inference::Outcome;

struct Request {
  MeanFields means;
  MeanTestRequest test;
};
using Reply = MeanTestAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(MeanInput input, read_means(request.means, context));
  MeanTestRequest test = request.test;
  test.means = std::move(input.choice);
  return test_mean(input.release, test, context);
}

std::string list_words(const std::vector<double>& numbers) {
  std::string out;
  for (const double number : numbers) out += fmt::format("{}{:g}", out.empty() ? "" : ", ", number);
  return out;
}

std::string words(const Reply& reply) {
  const MeanTest& test = reply.test;
  const MeanTestRequest& asked = reply.asked;
  const std::string means = fmt::format("{} {} of {}", reply.basis.columns.size() == 1 ? "a mean of" : "means of", list_words(asked.null),
                                        whom_words(reply.basis));
  const std::string other = asked.alternative ? fmt::format(" against {}", list_words(*asked.alternative)) : "";
  std::string out;
  if (test.outcome == Outcome::Inconclusive) {
    out = fmt::format("Inconclusive: {}.\n", test.reason.value_or("the release has too little information"));
  } else if (test.outcome == Outcome::Reject) {
    out = fmt::format("Not {}: rejected{} at level {:.4g}.\n", means, other, asked.alpha);
  } else {
    out = fmt::format("No evidence against {}{} at level {:.4g}.\n", means, other, asked.alpha);
  }
  if (test.statistic) {
    out += fmt::format("The {} statistic is {:.4g} (critical value {}, {}).\n", name(test.kind), *test.statistic,
                       test.critical ? fmt::format("{:.4g}", *test.critical) : "unknown", p_value_words(test.p_value, test.draws));
    if (test.power) out += fmt::format("The power of the test against the alternative is {:.4g}.\n", *test.power);
    if (test.null_distribution) out += fmt::format("Distribution under the null hypothesis: {}.\n", *test.null_distribution);
    out += included_words(reply.basis);
  }
  return out + "This cost no privacy.\n";
}

/// A member of the test.
template <class T>
auto of_test(T MeanTest::* member) {
  return [member](const Reply& reply) -> const T& { return reply.test.*member; };
}
template <class T>
auto as_asked(T MeanTestRequest::* member) {
  return [member](const Reply& reply) -> const T& { return reply.asked.*member; };
}

AnswerTable<Reply> answer_table() {
  return AnswerTable<Reply>()
      .include(&Reply::basis, mean_basis_table())
      .value("statistic", of_test(&MeanTest::statistic), "the test statistic; null where there is none")
      .value("df", of_test(&MeanTest::df), "the degrees of freedom")
      .value("p_value", of_test(&MeanTest::p_value), "null where it is unknown")
      .value("critical", of_test(&MeanTest::critical), "the statistic beyond which the null is rejected")
      .value("power", of_test(&MeanTest::power), "the power of the test against the alternative; null without one")
      .value("level", of_test(&MeanTest::level), "of the super-naive analysis: how often it rejects where the null is true")
      .value("outcome", of_test(&MeanTest::outcome), "the decision")
      .value("reason", of_test(&MeanTest::reason), "why the test is inconclusive; null otherwise")
      .value("alpha", as_asked(&MeanTestRequest::alpha), "the level of the test")
      .value("analysis", as_asked(&MeanTestRequest::analysis), "how the columns are weighted")
      .value("statistic_kind", of_test(&MeanTest::kind), "which statistic it is")
      .value("null_law", of_test(&MeanTest::null_distribution),
             "the distribution of the statistic under the null, in words; null where there is none")
      .value("null", as_asked(&MeanTestRequest::null), "the means that were tested")
      .value("alternative", as_asked(&MeanTestRequest::alternative), "the means they were tested against; null: all others");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "infer mean-test",
       .summary = "Test whether the means behind a release are given ones, against one alternative or against all, knowing the noise",
       .example = "tacet infer mean-test --release moments.json --for population --null 130,50 --alternative 131,50",
       .library = LibraryFunction{"test_mean", "tacet/workflow/infer/test_mean.h"},
       .request = RequestTable<Request>()
                      .include(&Request::means, mean_release_table())
                      .required(
                          "null", [](Request& r) -> auto& { return r.test.null; }, "a,b",
                          "the means to test: one number for each mean of the release, or for each column of a query of one combination")
                      .field(
                          "alternative", [](Request& r) -> auto& { return r.test.alternative; }, "c,d",
                          "test against these means alone (likelihood ratio, one-sided); against all others if not given")
                      .field(
                          "alpha", [](Request& r) -> auto& { return r.test.alpha; }, "A", "the level of the test")
                      .field(
                          "analysis", [](Request& r) -> auto& { return r.test.analysis; }, "N",
                          "how the columns are weighted; naive: as if there were no noise; super-naive decides nothing, but shows the "
                          "level it would have")
                      .include(&Request::means, mean_simulation_table()),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_mean_test_verb
