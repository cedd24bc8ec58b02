#include "tacet/workflow/plan/plan_mean_test.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/mean_plan_fields.h"

namespace tacet::service::plan_mean_test_verb {
namespace {

struct Request {
  MeanPlanFields design;
  MeanTestPlanRequest plan;
};

Result<MeanTestPlan> run(const Request& request, const Context& context) {
  MeanTestPlanRequest plan = request.plan;
  TACET_TRY(plan.design, read_design(request.design));
  return plan_mean_test(plan, context);
}

std::string words(const MeanTestPlan& plan) {
  std::string out = people_words(plan.n, plan.n_was_found);
  out += fmt::format("the test of mean 0 against eta has power {:.4f} at level {:.4g}, with tacet {}.\nPower by each query:", plan.power,
                     plan.alpha, query_words(plan.query));
  std::string separator = " ";
  for (const auto& [query, power] : by_name(plan.powers)) {
    out += fmt::format("{}{} {:.4f}", separator, query, power);
    separator = ", ";
  }
  return out + ".\n" + supposed_words();
}

}  // namespace

Verb make() {
  const auto plan = [](Request& r) -> auto& { return r.plan; };
  return verb<Request, MeanTestPlan>(
      {.name = "plan mean-test",
       .summary = "The power of a test of means on a noisy release, or the people that a wanted power needs",
       .example = "tacet plan mean-test --covariance covariance_of_a_row.json --eta 2,1 --n 2000 --rho 0.02",
       .library = LibraryFunction{"plan_mean_test", "tacet/workflow/plan/plan_mean_test.h"},
       .request = RequestTable<Request>()
                      .include(&Request::design, covariance_table())
                      .include(plan, RequestTable<MeanTestPlanRequest>()
                                         .required("eta", &MeanTestPlanRequest::eta, "a,b", "the mean under the alternative")
                                         .whole("n", &MeanTestPlanRequest::n, 2, kMostPlannedPeople, "N", "the number of people")
                                         .field("power", &MeanTestPlanRequest::power, "P", "in place of n: the power that is wanted")
                                         .field("alpha", &MeanTestPlanRequest::alpha, "A", "the level of the test"))
                      .include(&Request::design, design_table()),
       .answer = AnswerTable<MeanTestPlan>()
                     .value("power", &MeanTestPlan::power, "how often the test finds eta")
                     .value("n", &MeanTestPlan::n, "the number of people")
                     .value("alpha", &MeanTestPlan::alpha, "the level of the test")
                     .value("query", &MeanTestPlan::query, "how the means are asked for")
                     .value(
                         "powers", [](const MeanTestPlan& p) { return by_name(p.powers); }, "the power by each query")
                     .value("mu", &MeanTestPlan::mu, "the privacy to be spent, in mu")
                     .value("wanted", &MeanTestPlan::n_was_found, "whether a power was wanted, and the people for it were found"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_mean_test_verb
