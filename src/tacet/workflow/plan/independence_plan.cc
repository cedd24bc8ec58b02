#include "tacet/workflow/plan/independence_plan.h"

#include <vector>

#include <fmt/format.h>

#include "tacet/planning/independence_plan.h"
#include "tacet/planning/local_plan.h"

namespace tacet {
namespace {

Result<CountTestPlan> plan_local_table(planning::LocalIndependencePlan plan, const std::vector<double>& null,
                                       const CountPlanOptions& options, const Context& context) {
  TACET_TRY(plan.randomizer, planned_randomizer(*options.local, options));
  TACET_TRY(CountTestPlan planned,
            plan_count_test({planning::local_independence_power_plan(plan), plan.randomizer, null, 10 * null.size()}, options, context));
  for (const auto& [kind, name] : mechanisms::names_of(LocalKind{})) {
    RandomizerPower one{kind, std::nullopt};
    if (const auto randomizer = planned_randomizer(kind, options)) {
      plan.randomizer = *randomizer;
      if (const auto power = planning::local_independence_plan_power(plan, GofStatistic::Projected, planned.n)) one.power = power->power;
    }
    planned.randomizers.push_back(one);
  }
  return planned;
}

}  // namespace

Result<CountTestPlan> plan_independence(const Matrix& alternative, const CountPlanOptions& options, const Context& context) {
  if (alternative.rows < 2 || alternative.columns < 2) {
    return Error::invalid("alternative", fmt::format("a table of {} x {}", alternative.rows, alternative.columns),
                          "must have at least two rows and two columns", "for example [[0.3, 0.2], [0.2, 0.3]]");
  }
  TACET_TRY(const std::vector<double> joint, inference::probabilities_of(alternative.values, "alternative"));
  const inference::TableShape shape{alternative.rows, alternative.columns};
  if (joint.size() != shape.cells()) {
    return Error::invalid("alternative", fmt::format("{} probabilities", joint.size()), fmt::format("must have {} cells", shape.cells()));
  }
  // Under two hypotheses each table is fitted, which takes as long as drawing some of them.
  constexpr std::size_t kWorkOfAFit = 10;
  const std::vector<double> null = inference::independent_table(shape, joint);
  if (options.local) return plan_local_table({shape, joint, {}, options.alpha}, null, options, context);
  TACET_TRY(const NoiseDistribution noise, planned_noise(options.loss, options.mechanism));
  const planning::IndependencePlan plan{shape, joint, noise, options.alpha};
  return plan_count_test({planning::independence_power_plan(plan), noise, null, kWorkOfAFit * shape.cells()}, options, context);
}

}  // namespace tacet
