#include "tacet/workflow/plan/goodness_of_fit_plan.h"

#include "tacet/planning/gof_plan.h"

namespace tacet {

Result<CountTestPlan> plan_goodness_of_fit(const std::vector<double>& null, const std::vector<double>& alternative,
                                           const CountPlanOptions& options, const Context& context) {
  TACET_TRY(const NoiseDistribution noise, planned_noise(options.loss, options.mechanism));
  TACET_TRY(const std::vector<double> checked, inference::probabilities_of(null, "null"));
  const planning::GofPlan plan{checked, alternative, noise, options.alpha};
  return plan_count_test({planning::gof_power_plan(plan), noise, checked, checked.size()}, options, context);
}

}  // namespace tacet
