#include "tacet/workflow/plan/independence_plan.h"

#include <vector>

#include <fmt/format.h>

#include "tacet/planning/independence_plan.h"

namespace tacet {

Result<CountTestPlan> plan_independence(const Matrix& alternative, const CountPlanOptions& options, const Context& context) {
  if (alternative.rows < 2 || alternative.columns < 2) {
    return Error::invalid("alternative", fmt::format("a table of {} x {}", alternative.rows, alternative.columns),
                          "must have at least two rows and two columns", "for example [[0.3, 0.2], [0.2, 0.3]]");
  }
  TACET_TRY(const std::vector<double> joint, inference::probabilities_of(alternative.values, "alternative"));
  TACET_TRY(const NoiseDistribution noise, planned_noise(options.loss, options.mechanism));
  const inference::TableShape shape{alternative.rows, alternative.columns};
  const planning::IndependencePlan plan{shape, joint, noise, options.alpha};
  if (joint.size() != shape.cells()) {
    return Error::invalid("alternative", fmt::format("{} probabilities", joint.size()), fmt::format("must have {} cells", shape.cells()));
  }
  // Under two hypotheses each table is fitted, which takes as long as drawing some of them.
  constexpr std::size_t kWorkOfAFit = 10;
  return plan_count_test(
      {planning::independence_power_plan(plan), noise, inference::independent_table(shape, joint), kWorkOfAFit * shape.cells()}, options,
      context);
}

}  // namespace tacet
