#include "tacet/workflow/plan/plan_pvalue.h"

#include <algorithm>

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
  const double largest = std::max(level.threshold, level.sharper.value_or(0));
  std::string out;
  if (largest > 0) {
    out = fmt::format(
        "Reject where the p-value is at most {:.6g}: then a test that was chosen after this look at the data has the level {:g}.\n",
        largest, plan.request.alpha);
  } else {
    out = "No p-value is small enough: so much was told about the rows that no bound leaves a threshold.\n";
  }
  if (largest > level.threshold) {
    out += fmt::format("Rule: {}. By max-information alone: {:.6g}.\n",
                       level.rule == InformationRule::Description
                           ? "the union bound over all that could have been told"
                           : "mutual information, by the relative entropy of how often such tests reject",
                       level.threshold);
  }
  out += fmt::format("{}: {}: {:.6g} bits of max-information with beta {:.4g}.\n", largest > level.threshold ? "That is by" : "Rule",
                     source_of_bound(level.rule), level.max_information, level.beta);
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
                      .field("mu", &Request::mu, "M", "in place of epsilon: Gaussian noise, and what else is charged in mu")
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
