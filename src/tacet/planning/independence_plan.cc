#include "tacet/planning/independence_plan.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/level.h"
#include "tacet/planning/people_needed.h"

namespace tacet::planning {

using inference::GofStatistic;

namespace {

PlannedPower planned(std::vector<double> null, const std::vector<double>& other, double alpha) {
  const inference::SimulatedPower simulated = inference::simulated_power(std::move(null), other, alpha);
  return {simulated.power, simulated.standard_error};
}

/// The alternative, if the plan can be computed.
Result<std::vector<double>> checked_alternative(const IndependencePlan& plan, double n) {
  TACET_TRY(std::vector<double> alternative, inference::probabilities_of(plan.alternative, "alternative"));
  if (alternative.size() != plan.shape.cells()) {
    return Error::invalid("alternative", fmt::format("{} probabilities", alternative.size()),
                          fmt::format("must have {} cells", plan.shape.cells()));
  }
  TACET_CHECK(inference::check_alpha(plan.alpha));
  if (!(n >= 1)) return Error::invalid("n", fmt::format("{}", n), "must be at least 1");
  return alternative;
}

Result<std::vector<PlannedPower>> simulated_powers(const IndependencePlan& plan, double n, const inference::Simulation& simulation) {
  TACET_TRY(const std::vector<double> alternative, checked_alternative(plan, n));
  TACET_CHECK(inference::check_draws(simulation.draws.value_or(inference::kUsualDraws), plan.alpha));
  TACET_CHECK(inference::check_simulated(plan.shape.cells(), n));
  const std::vector<double> null = inference::independent_table(plan.shape, alternative);
  inference::Simulation others = simulation;
  others.seed = ~others.seed;
  inference::IndependenceDraws nulls = inference::simulate_all_independence(plan.shape, plan.noise, n, null, simulation);
  const inference::IndependenceDraws found = inference::simulate_all_independence(plan.shape, plan.noise, n, alternative, others);
  return std::vector<PlannedPower>{planned(std::move(nulls.classical), found.classical, plan.alpha),
                                   planned(std::move(nulls.projected), found.projected, plan.alpha),
                                   planned(std::move(nulls.nonprojected), found.nonprojected, plan.alpha)};
}

}  // namespace

Result<PlannedPower> independence_plan_power(const IndependencePlan& plan, GofStatistic statistic, double n,
                                             const OptionalSimulation& simulation) {
  TACET_TRY(const std::vector<double> alternative, checked_alternative(plan, n));
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
  return planned(inference::simulate_independence(release, plan.shape, statistic, n, null, *simulation),
                 inference::simulate_independence(release, plan.shape, statistic, n, alternative, others), plan.alpha);
}

PowerPlan independence_power_plan(const IndependencePlan& plan) {
  const auto all = [&plan](double n, const inference::Simulation& simulation) {
    const auto powers = simulated_powers(plan, n, simulation);
    std::vector<PlannedStatistic> found;
    std::size_t at = 0;
    for (const GofStatistic statistic : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected}) {
      found.push_back({statistic, powers ? Result<PlannedPower>((*powers)[at]) : Result<PlannedPower>(powers.error())});
      ++at;
    }
    return found;
  };
  return {[&plan](GofStatistic statistic, double n, const OptionalSimulation& simulation) {
            return independence_plan_power(plan, statistic, n, simulation);
          },
          plan.alpha, kMostPeople, all};
}

}  // namespace tacet::planning
