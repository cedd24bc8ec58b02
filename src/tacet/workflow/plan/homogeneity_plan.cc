#include "tacet/workflow/plan/homogeneity_plan.h"

#include <string>
#include <utility>
#include <vector>

#include "tacet/planning/homogeneity_plan.h"

namespace tacet {

Result<CountTestPlan> plan_homogeneity(const Matrix& alternative, const CountPlanOptions& options, const GroupsPlan& groups,
                                       const Context& context) {
  if (options.local) {
    return Error::invalid("local", std::string(name(*options.local)), "must be left out where groups are compared",
                          "for local reports of two variables: `plan independence`");
  }
  TACET_TRY(const NoiseDistribution noise, planned_noise(options.loss, options.mechanism));
  if (groups.one_release && noise.structure == mechanisms::NoiseStructure::SumZero) {
    return Error::invalid("mechanism", "rank-deficient",
                          "must be gaussian or laplace for groups of one release, which need noise of their own",
                          "leave one-release out, or use `plan independence`");
  }
  planning::HomogeneityPlan plan{.alternative = {},
                                 .shares = groups.shares.value_or(std::vector<double>(alternative.rows, 1)),
                                 .noise = noise,
                                 .alpha = options.alpha,
                                 .n_public = !groups.one_release,
                                 .denoise = {.shrink = options.shrink, .project = options.project}};
  for (std::size_t row = 0; row < alternative.rows; ++row) {
    const auto begin = alternative.values.begin() + static_cast<std::ptrdiff_t>(row * alternative.columns);
    plan.alternative.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(alternative.columns));
  }
  TACET_CHECK(planning::check_homogeneity_plan(plan));
  std::vector<double> null = planning::pooled_table(plan);
  const std::size_t work = null.size();
  return plan_count_test({planning::homogeneity_power_plan(plan), noise, std::move(null), work}, options, context);
}

}  // namespace tacet
