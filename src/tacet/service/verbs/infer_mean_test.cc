#include <fmt/format.h>

#include "tacet/inference/means/mean_hypothesis.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/mean_request.h"
#include "tacet/service/request.h"
#include "tacet/service/test_answer.h"

namespace tacet::service {
namespace {

using inference::MeanTest;
using inference::MeanTestOptions;

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const MeanRequest asked, mean_request(request, context));
  MeanTestOptions options{.law = asked.law};
  TACET_TRY(options.null, numbers_field(request, "null"));
  if (request.contains("alternative")) {
    TACET_TRY(options.alternative, numbers_field(request, "alternative"));
  }
  TACET_TRY(options.alpha, level_field(request, "alpha", options.alpha));
  if (const auto analysis = text_field(request, "analysis")) {
    TACET_TRY(options.analysis, named<inference::MeanAnalysis>("analysis", *analysis, "for example: --analysis optimal"));
  }
  context.tell("testing");
  TACET_TRY(const MeanTest test, inference::test_mean(asked.mean, options));
  Json result = mean_json(asked, test.method, test.draws, test.includes, test.leaves_out);
  result["statistic"] = finite_json(test.statistic);
  result["df"] = test.df;
  result["p_value"] = finite_json(test.p_value);
  result["critical"] = finite_json(test.critical);
  result["power"] = test.power ? Json(*test.power) : Json(nullptr);
  result["level"] = test.level ? Json(*test.level) : Json(nullptr);
  result["outcome"] = name(test.outcome);
  result["reason"] = test.reason;
  result["alpha"] = options.alpha;
  result["analysis"] = name(options.analysis);
  result["statistic_kind"] = test.kind;
  result["null_law"] = test.null_law;
  result["null"] = options.null;
  result["alternative"] = options.alternative ? Json(*options.alternative) : Json(nullptr);
  return result;
}

std::string list_words(const Json& numbers) {
  std::string out;
  for (const Json& number : numbers) out += fmt::format("{}{:g}", out.empty() ? "" : ", ", number.get<double>());
  return out;
}

std::string words(const Json& result) {
  const auto number = [&result](const char* field) {
    return result.at(field).is_null() ? "unknown" : fmt::format("{:.4g}", result.at(field).get<double>());
  };
  const std::string means = fmt::format("{} {} of {}", result.at("columns").size() == 1 ? "a mean of" : "means of",
                                        list_words(result.at("null")), whom_words(result));
  const bool against = !result.at("alternative").is_null();
  const std::string other = against ? fmt::format(" against {}", list_words(result.at("alternative"))) : "";
  std::string out;
  if (result.at("outcome") == "inconclusive") {
    out = fmt::format("Inconclusive: {}.\n", result.at("reason").get<std::string>());
  } else if (result.at("outcome") == "reject") {
    out = fmt::format("Not {}: rejected{} at level {}.\n", means, other, number("alpha"));
  } else {
    out = fmt::format("No evidence against {}{} at level {}.\n", means, other, number("alpha"));
  }
  if (!result.at("statistic").is_null()) {
    out += fmt::format("The {} statistic is {} (critical value {}, {}).\n", result.at("statistic_kind").get<std::string>(),
                       number("statistic"), number("critical"), p_value_words(result));
    if (!result.at("power").is_null())
      out += fmt::format("With this release the alternative is found with probability {} where it is true.\n", number("power"));
    out += fmt::format("Null law: {}.\n", result.at("null_law").get<std::string>()) + included_words(result);
  }
  return out + "This cost no privacy.\n";
}

}  // namespace

Verb infer_mean_test_verb() {
  return {
      "infer mean-test",
      "Test whether the means behind a release are given ones, against one alternative or against all, knowing the noise",
      "tacet infer mean-test --release moments.json --for population --null 130,50 --alternative 131,50",
      mean_fields({{"null", "a,b", "the means to test: one number for each mean of the release", FieldKind::Numbers, true},
                   {"alternative", "c,d", "test against these means alone (likelihood ratio, one-sided); against all others if not given",
                    FieldKind::Numbers},
                   {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
                   {"analysis", "N",
                    "optimal (the default), naive (weights as if there were no noise), or super-naive (decides nothing: shows the level it "
                    "would have)"}}),
      run,
      words};
}

}  // namespace tacet::service
