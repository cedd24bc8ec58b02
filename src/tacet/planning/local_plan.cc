#include "tacet/planning/local_plan.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/level.h"
#include "tacet/inference/local/local_goodness_of_fit.h"
#include "tacet/inference/local/local_independence.h"
#include "tacet/planning/people_needed.h"

namespace tacet::planning {
namespace {

using inference::GofStatistic;
using inference::LocalGofDesign;
using mechanisms::LocalKind;

inference::Simulation other_draws(inference::Simulation simulation) {
  simulation.seed = ~simulation.seed;
  return simulation;
}

Status check_simulation(const inference::Simulation& simulation, std::size_t cells, double n, double alpha) {
  TACET_CHECK(inference::check_draws(simulation.draws.value_or(inference::kUsualDraws), alpha));
  return inference::check_simulated(cells, n);
}

Error other_cells(std::size_t given, std::size_t cells) {
  return Error::invalid("alternative", fmt::format("{} probabilities", given), fmt::format("must have {} cells", cells));
}

}  // namespace

Result<PlannedPower> local_gof_power(const LocalGofPlan& plan, GofStatistic statistic, double n, const OptionalSimulation& simulation) {
  TACET_TRY(const LocalGofDesign design, LocalGofDesign::of(plan.null, n, plan.randomizer));
  TACET_TRY(const std::vector<double> alternative,
            inference::probabilities_of(plan.alternative, "alternative", inference::ZeroCells::Allowed));
  if (alternative.size() != design.cells()) return other_cells(alternative.size(), design.cells());
  TACET_CHECK(inference::check_alpha(plan.alpha));
  if (!simulation) {
    TACET_TRY(const double power, design.power(statistic, alternative, plan.alpha));
    return PlannedPower{power, std::nullopt};
  }
  TACET_CHECK(check_simulation(*simulation, design.cells(), n, plan.alpha));
  const inference::SimulatedPower simulated =
      inference::simulated_power(inference::simulate_local_gof(design, statistic, design.null(), *simulation),
                                 inference::simulate_local_gof(design, statistic, alternative, other_draws(*simulation)), plan.alpha);
  return PlannedPower{simulated.power, simulated.standard_error};
}

PowerPlan local_gof_power_plan(const LocalGofPlan& plan) {
  return {[&plan](GofStatistic statistic, double n, const OptionalSimulation& simulation) {
            return local_gof_power(plan, statistic, n, simulation);
          },
          plan.alpha, kMostPeople};
}

Result<PlannedPower> local_independence_plan_power(const LocalIndependencePlan& plan, GofStatistic statistic, double n,
                                                   const OptionalSimulation& simulation) {
  TACET_TRY(const std::vector<double> alternative, inference::probabilities_of(plan.alternative, "alternative"));
  if (alternative.size() != plan.shape.cells()) return other_cells(alternative.size(), plan.shape.cells());
  TACET_CHECK(inference::check_alpha(plan.alpha));
  TACET_CHECK(mechanisms::check_distribution(plan.randomizer));
  if (!(n >= 1)) return Error::invalid("n", fmt::format("{}", n), "must be at least 1");
  if (statistic != GofStatistic::Projected && !(statistic == GofStatistic::Classical && plan.randomizer.kind == LocalKind::Exp)) {
    return Error::of(Code::Unsupported, "independence of local reports is tested by the projected statistic", "use statistic = projected");
  }
  if (!simulation) {
    TACET_TRY(const double power, inference::local_independence_power(plan.shape, alternative, n, plan.randomizer, plan.alpha));
    return PlannedPower{power, std::nullopt};
  }
  TACET_CHECK(check_simulation(*simulation, plan.shape.cells(), n, plan.alpha));
  const std::vector<double> null = inference::independent_table(plan.shape, alternative);
  const inference::SimulatedPower simulated = inference::simulated_power(
      inference::simulate_local_independence(plan.shape, plan.randomizer, n, null, *simulation),
      inference::simulate_local_independence(plan.shape, plan.randomizer, n, alternative, other_draws(*simulation)), plan.alpha);
  return PlannedPower{simulated.power, simulated.standard_error};
}

PowerPlan local_independence_power_plan(const LocalIndependencePlan& plan) {
  return {[&plan](GofStatistic statistic, double n, const OptionalSimulation& simulation) {
            return local_independence_plan_power(plan, statistic, n, simulation);
          },
          plan.alpha, kMostPeople};
}

}  // namespace tacet::planning
