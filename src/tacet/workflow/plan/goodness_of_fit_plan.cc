#include "tacet/workflow/plan/goodness_of_fit_plan.h"

#include "tacet/planning/gof_plan.h"
#include "tacet/planning/hardest_alternative.h"
#include "tacet/planning/local_plan.h"

namespace tacet {
namespace {

/// The power of every kind of report that keeps this loss, for the same people.
std::vector<RandomizerPower> compared_randomizers(planning::LocalGofPlan plan, const CountPlanOptions& options, double n) {
  std::vector<RandomizerPower> powers;
  for (const auto& [kind, name] : mechanisms::names_of(LocalKind{})) {
    RandomizerPower one{kind, std::nullopt};
    if (const auto randomizer = planned_randomizer(kind, options)) {
      plan.randomizer = *randomizer;
      if (const auto power = planning::local_gof_power(plan, GofStatistic::Projected, n)) one.power = power->power;
    }
    powers.push_back(one);
  }
  return powers;
}

Result<CountTestPlan> plan_local_gof(const std::vector<double>& null, const std::vector<double>& alternative,
                                     const CountPlanOptions& options, const Context& context) {
  TACET_TRY(const LocalRandomizer randomizer, planned_randomizer(*options.local, options));
  const planning::LocalGofPlan plan{null, alternative, randomizer, options.alpha};
  TACET_TRY(CountTestPlan planned,
            plan_count_test({planning::local_gof_power_plan(plan), randomizer, null, null.size()}, options, context));
  planned.randomizers = compared_randomizers(plan, options, planned.n);
  return planned;
}

}  // namespace

Result<CountTestPlan> plan_goodness_of_fit(const std::vector<double>& null, const std::vector<double>& alternative,
                                           const CountPlanOptions& options, const Context& context) {
  if (options.local) {
    TACET_TRY(const std::vector<double> checked, inference::probabilities_of(null, "null"));
    return plan_local_gof(checked, alternative, options, context);
  }
  TACET_TRY(const NoiseDistribution noise, planned_noise(options.loss, options.mechanism));
  TACET_TRY(const std::vector<double> checked, inference::probabilities_of(null, "null", inference::ZeroCells::Allowed));
  const planning::GofPlan plan{checked, alternative, noise, options.alpha, {.shrink = options.shrink, .project = options.project}};
  TACET_TRY(CountTestPlan planned, plan_count_test({planning::gof_power_plan(plan), noise, checked, checked.size()}, options, context));
  for (StatisticPower& one : planned.powers) {
    if (const auto variance = planning::gof_plan_variance(plan, one.statistic, planned.n)) one.variance = *variance;
  }
  if (const auto level = planning::gof_naive_level(plan, planned.n)) planned.naive_level = *level;
  return planned;
}

Result<std::vector<double>> hardest_alternative(const std::vector<double>& null, double size) {
  TACET_TRY(const std::vector<double> checked, inference::probabilities_of(null, "null"));
  return planning::hardest_alternative(checked, size);
}

}  // namespace tacet
