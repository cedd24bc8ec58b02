#include "tacet/workflow/plan/plan_pvalue.h"

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"

namespace tacet::service::plan_pvalue_verb {
namespace {

std::string source_of_bound(InformationRule rule) {
  switch (rule) {
    case InformationRule::PureAny: return "a pure epsilon, for any rows (Rogers 1.5.2)";
    case InformationRule::PureProduct: return "a pure epsilon, for independent rows";
    case InformationRule::Approximate: return "epsilon and delta, for independent rows (Rogers 4.2.1)";
    case InformationRule::MutualInformation: return "mutual information, for independent rows (Rogers 3.4.4 and 4.6.1)";
    case InformationRule::Description: return "the length of what was told, for any rows (Rogers 1.5.1)";
    case InformationRule::Composition: break;
  }
  return "several bounds, one after another (Rogers 1.4.2)";
}

std::string words(const PValuePlan& plan) {
  const CorrectedLevel& level = plan.level;
  std::string out;
  if (level.threshold > 0) {
    out = fmt::format(
        "Reject where the p-value is at most {:.6g}: then a test that was chosen after this look at the data has the level {:g}.\n",
        level.threshold, plan.request.alpha);
  } else {
    out = "No p-value is small enough: so much was told about the rows that no bound leaves a threshold.\n";
  }
  out += fmt::format("Rule: {}: {:.6g} bits of max-information with beta {:.4g}.\n", source_of_bound(level.rule), level.max_information,
                     level.beta);
  if (level.sharper && *level.sharper > level.threshold) {
    out += fmt::format("A threshold of {:.6g} is valid too, {}.\n", *level.sharper,
                       level.rule == InformationRule::Description ? "by the union bound over all that could have been told"
                                                                  : "by the proof of that theorem without its constant 0.54");
  }
  return out + "No data was read, and nothing was spent.\n";
}

}  // namespace

Verb make() {
  using Request = PValuePlanRequest;
  const auto level = [](auto member) { return [member](const PValuePlan& plan) { return plan.level.*member; }; };
  const auto asked = [](auto member) { return [member](const PValuePlan& plan) { return plan.request.*member; }; };
  return verb<Request, PValuePlan>(
      {.name = "plan pvalue",
       .summary = "The threshold for the p-value of a test that is chosen after a look at the data",
       .example = "tacet plan pvalue --n 1000 --alpha 0.05 --epsilon 0.05",
       .library = LibraryFunction{"plan_pvalue", "tacet/workflow/plan/plan_pvalue.h"},
       .request = RequestTable<Request>()
                      .required("n", &Request::n, "N", "the number of people: rows of the data")
                      .field("alpha", &Request::alpha, "A", "the level that the test must keep")
                      .field("epsilon", &Request::epsilon, "E", "what was spent before the test was chosen")
                      .field("delta", &Request::delta, "D", "beside epsilon")
                      .field("rho", &Request::rho, "R", "in place of epsilon")
                      .field("bits", &Request::bits, "B", "in place of epsilon: the length of what was told, without noise")
                      .field("rows", &Request::rows, "ROWS", "whether rows are independent of each other"),
       .answer = AnswerTable<PValuePlan>()
                     .value("threshold", level(&CorrectedLevel::threshold), "the largest p-value to reject at; 0: no bound leaves one")
                     .value("max_information", level(&CorrectedLevel::max_information),
                            "how much was told about the rows, in bits, except with probability beta; null: unbounded")
                     .value("beta", level(&CorrectedLevel::beta), "the part of alpha that pays for the exception")
                     .value("rule", level(&CorrectedLevel::rule), "the bound that was used")
                     .value("sharper_threshold", level(&CorrectedLevel::sharper), "a threshold that is valid too, where one is known")
                     .value("n", asked(&Request::n), "the number of people")
                     .value("alpha", asked(&Request::alpha), "the level of the test"),
       .run = [](const Request& request, const Context& /*context*/) { return plan_pvalue(request); },
       .words = words});
}

}  // namespace tacet::service::plan_pvalue_verb
