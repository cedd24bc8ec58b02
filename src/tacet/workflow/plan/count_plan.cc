#include "tacet/workflow/plan/count_plan.h"

#include <algorithm>
#include <utility>

#include "tacet/data/counts.h"
#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/privacy/parameters.h"
#include "tacet/workflow/people_or_power.h"

namespace tacet {
namespace {

bool denoises(const CountPlanOptions& options) { return inference::denoises({.shrink = options.shrink, .project = options.project}); }

/// Reports of M_EXP have one statistic, which is Pearson's.
bool pearson_only(const PowerQuestion& question) {
  const auto* local = std::get_if<LocalRandomizer>(&question.noise);
  return local != nullptr && local->kind == LocalKind::Exp;
}

Status check_denoised_plan(const CountPlanOptions& options) {
  if (!denoises(options)) return {};
  if (options.local) {
    return Error::invalid("local", std::string(name(*options.local)), "must be left out where tables are denoised",
                          "local reports are tested as they are: leave shrink and project out");
  }
  if (options.project == Projection::Bounds)
    return Error::invalid("project", "bounds", "must be none, nonnegative or simplex for a test", "use project = nonnegative");
  if (options.statistic && *options.statistic != GofStatistic::Classical) {
    return Error::invalid("statistic", std::string(name(*options.statistic)), "must be classical for a denoised table",
                          "leave statistic out: the powers of the others, without denoising, are in the answer too");
  }
  if (options.method == PowerMethod::Asymptotic)
    return Error::invalid("method", "asymptotic", "must be simulation for a denoised table", "leave method out");
  return {};
}

}  // namespace

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

Result<LocalRandomizer> planned_randomizer(LocalKind kind, const CountPlanOptions& options) {
  if (options.mechanism) {
    return Error::invalid("mechanism", std::string(name(*options.mechanism)), "must be left out where people randomise their reports",
                          "local names the randomizer");
  }
  TACET_TRY(const PrivacyAmount amount, required_privacy(options.loss));
  TACET_TRY(const LocalTerms terms, local_terms(kind, amount));
  return terms.randomizer;
}

Result<CountTestPlan> plan_count_test(const PowerQuestion& question, const CountPlanOptions& options, const Context& context) {
  TACET_CHECK(check_people_or_power(options.n.has_value(), options.power.has_value()));
  TACET_CHECK(check_denoised_plan(options));
  const bool classical = denoises(options) || pearson_only(question);
  const GofStatistic statistic = options.statistic.value_or(classical ? GofStatistic::Classical : GofStatistic::Projected);
  const PowerMethod method = options.method.value_or(denoises(options) ? PowerMethod::Simulation : PowerMethod::Asymptotic);
  std::optional<Simulation> simulation;
  if (method == PowerMethod::Simulation) {
    simulation = told(options.simulation, context, "simulating tables");
    simulation->draws = simulation->draws.value_or(inference::usual_draws(question.work, question.plan.alpha));
  }
  context.tell("computing power");
  CountTestPlan plan{.people_wanted = options.power.has_value(),
                     .alpha = question.plan.alpha,
                     .statistic = statistic,
                     .method = method,
                     .shrink = options.shrink,
                     .project = options.project};
  if (const auto* noise = std::get_if<NoiseDistribution>(&question.noise)) plan.noise = *noise;
  if (const auto* local = std::get_if<LocalRandomizer>(&question.noise)) plan.randomizer = *local;
  if (options.n) {
    plan.n = *options.n;
  } else {
    TACET_TRY(plan.n, planning::people_for_power(question.plan, statistic, *options.power, simulation));
  }
  const std::vector<planning::PlannedStatistic> powers = planning::powers_of_all(question.plan, plan.n, simulation);
  const auto chosen = std::find_if(powers.begin(), powers.end(), [&](const auto& one) { return one.statistic == statistic; });
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
