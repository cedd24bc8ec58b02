#include "tacet/workflow/plan/plan_mean_test.h"

#include <utility>

#include "tacet/workflow/people_or_power.h"

namespace tacet {

Result<MeanTestPlan> plan_mean_test(const MeanTestPlanRequest& request, const Context& context) {
  TACET_CHECK(check_people_or_power(request.n.has_value(), request.power.has_value()));
  TACET_TRY(const planning::MeanPlan plan, mean_plan(request.design));
  const MeanQuery query = request.design.query;
  context.tell("computing power");
  auto n = static_cast<double>(request.n.value_or(0));
  if (request.power) {
    TACET_TRY(n, planning::people_for_mean_test(plan, query, request.eta, *request.power, request.alpha));
  }
  TACET_TRY(const double power, planning::mean_test_power(plan, query, request.eta, n, request.alpha));
  std::map<MeanQuery, double> powers;
  for (const MeanQuery other : comparable_queries(request.design)) {
    TACET_TRY(powers[other], planning::mean_test_power(plan, other, request.eta, n, request.alpha));
  }
  return MeanTestPlan{power, n, request.power.has_value(), request.alpha, query, std::move(powers), plan.mu};
}

}  // namespace tacet
