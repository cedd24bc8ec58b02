#include "tacet/planning/independence_plan.h"

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/level.h"
#include "tacet/planning/people_needed.h"

namespace tacet::planning {

using inference::GofStatistic;

Result<PlannedPower> independence_plan_power(const IndependencePlan& plan, GofStatistic statistic, double n,
                                             const OptionalSimulation& simulation) {
  TACET_TRY(const std::vector<double> alternative, inference::probabilities_of(plan.alternative, "alternative"));
  if (alternative.size() != plan.shape.cells()) {
    return Error::invalid("alternative", fmt::format("{} probabilities", alternative.size()),
                          fmt::format("must have {} cells", plan.shape.cells()));
  }
  TACET_CHECK(inference::check_alpha(plan.alpha));
  if (!(n >= 1)) return Error::invalid("n", fmt::format("{}", n), "must be at least 1");
  if (!simulation) {
    TACET_TRY(const double power,
              inference::independence_power(plan.shape, statistic, alternative, n, inference::cell_noise(plan.noise), plan.alpha));
    return PlannedPower{power, std::nullopt};
  }
  TACET_CHECK(inference::check_draws(simulation->draws.value_or(inference::kUsualDraws), plan.alpha));
  TACET_CHECK(inference::check_simulated(plan.shape.cells(), n));
  mechanisms::CountRelease release{};
  release.n = n;
  release.noise = plan.noise;
  const std::vector<double> null = inference::independent_table(plan.shape, alternative);
  inference::Simulation others = *simulation;
  others.seed = ~others.seed;
  const inference::SimulatedPower simulated =
      inference::simulated_power(inference::simulate_independence(release, plan.shape, statistic, n, null, *simulation),
                                 inference::simulate_independence(release, plan.shape, statistic, n, alternative, others), plan.alpha);
  return PlannedPower{simulated.power, simulated.standard_error};
}

PowerPlan independence_power_plan(const IndependencePlan& plan) {
  return {[&plan](GofStatistic statistic, double n, const OptionalSimulation& simulation) {
            return independence_plan_power(plan, statistic, n, simulation);
          },
          plan.alpha, kMostPeople};
}

}  // namespace tacet::planning
