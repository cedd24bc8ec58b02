#include "tacet/workflow/plan/count_plan.h"

#include <algorithm>
#include <utility>

#include "tacet/data/counts.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/privacy/parameters.h"
#include "tacet/workflow/people_or_power.h"

namespace tacet {

Result<NoiseDistribution> planned_noise(const std::optional<PrivacyAmount>& loss, std::optional<CountMechanism> mechanism) {
  TACET_TRY(const PrivacyAmount amount, required_privacy(loss));
  TACET_TRY(privacy::Loss spent, loss_of(amount));
  const CountMechanism chosen = mechanisms::choose_mechanism(mechanism, spent);
  const kernel::Sensitivity sensitivity = data::count_sensitivity(kernel::Relation::ReplaceOne);
  if (chosen == CountMechanism::Laplace) {
    TACET_TRY(const privacy::Budget promise, budget_of(amount));
    TACET_TRY(spent, mechanisms::laplace_loss(sensitivity, promise, promise.currency));
  }
  TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_counts(chosen, sensitivity, spent));
  return NoiseDistribution{
      plan.family, plan.scale,
      chosen == CountMechanism::RankDeficient ? mechanisms::NoiseStructure::SumZero : mechanisms::NoiseStructure::Independent};
}

Result<CountTestPlan> plan_count_test(const PowerQuestion& question, const CountPlanOptions& options, const Context& context) {
  TACET_CHECK(check_people_or_power(options.n.has_value(), options.power.has_value()));
  std::optional<Simulation> simulation;
  if (options.method == PowerMethod::Simulation) {
    simulation = told(options.simulation, context, "simulating tables");
    simulation->draws = simulation->draws.value_or(inference::usual_draws(question.work, question.plan.alpha));
  }
  context.tell("computing power");
  CountTestPlan plan{.people_wanted = options.power.has_value(),
                     .alpha = question.plan.alpha,
                     .statistic = options.statistic,
                     .method = options.method,
                     .noise = question.noise};
  if (options.n) {
    plan.n = *options.n;
  } else {
    TACET_TRY(plan.n, planning::people_for_power(question.plan, options.statistic, *options.power, simulation));
  }
  const std::vector<planning::PlannedStatistic> powers = planning::powers_of_all(question.plan, plan.n, simulation);
  const auto chosen = std::find_if(powers.begin(), powers.end(), [&](const auto& one) { return one.statistic == options.statistic; });
  TACET_TRY(const planning::PlannedPower power, chosen->power);
  plan.power = power.power;
  if (plan.power < plan.alpha) plan.reason = "the deviation is so small beside sampling and noise that only chance finds it";
  plan.least_expected = plan.n * *std::min_element(question.null.begin(), question.null.end());
  if (simulation) {
    plan.standard_error = power.standard_error;
    plan.draws = simulation->draws;
    plan.seed = simulation->seed;
  }
  for (const planning::PlannedStatistic& one : powers)
    plan.powers.push_back({one.statistic, one.power ? std::optional(one.power->power) : std::nullopt});
  if (options.curves) {
    TACET_TRY(plan.curves, planning::power_curves(question.plan, plan.n, simulation));
  }
  return plan;
}

}  // namespace tacet
