#include "tacet/planning/gof_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/level.h"
#include "tacet/numeric/weighted_chi2.h"
#include "tacet/planning/people_needed.h"

namespace tacet::planning {
namespace {

using inference::DenoiseOptions;
using inference::GofStatistic;
using inference::Simulation;

}  // namespace

Result<PlannedPower> gof_plan_power(const GofPlan& plan, GofStatistic statistic, double n, const OptionalSimulation& simulation) {
  TACET_TRY(inference::GofDesign design, inference::GofDesign::of(plan.null, n, inference::cell_noise(plan.noise)));
  TACET_TRY(const std::vector<double> alternative,
            inference::probabilities_of(plan.alternative, "alternative", inference::ZeroCells::Allowed));
  TACET_CHECK(inference::check_alpha(plan.alpha));
  const bool denoised = inference::denoises(plan.denoise) && statistic == GofStatistic::Classical;
  if (!simulation && denoised) {
    return Error::of(Code::Unsupported, "the power of a test on denoised tables has no formula", "use method = simulation");
  }
  if (!simulation) {
    TACET_TRY(const double power, inference::gof_power(design, statistic, alternative, plan.alpha));
    return PlannedPower{power, std::nullopt};
  }
  if (alternative.size() != design.cells()) {
    return Error::invalid("alternative", fmt::format("{} probabilities", alternative.size()),
                          fmt::format("must have {} cells, as the null has", design.cells()));
  }
  TACET_CHECK(inference::check_draws(simulation->draws.value_or(inference::kUsualDraws), plan.alpha));
  TACET_CHECK(inference::check_simulated(design.cells(), n));
  const inference::GofSetting setting{std::move(design), statistic, {plan.noise, {}}, true, denoised ? plan.denoise : DenoiseOptions{}};
  if (denoised) {
    // For the error, if such tables cannot be denoised.
    std::vector<double> expected = alternative;
    for (double& cell : expected) cell *= n;
    const auto tried = inference::gof_statistic_of(setting, expected);
    if (!tried) return tried.error();
  }
  std::vector<double> null = inference::simulate_gof(setting, setting.design.null(), *simulation);
  Simulation others = *simulation;
  others.seed = ~others.seed;
  const inference::SimulatedPower simulated =
      inference::simulated_power(std::move(null), inference::simulate_gof(setting, alternative, others), plan.alpha);
  return PlannedPower{simulated.power, simulated.standard_error};
}

Result<double> gof_plan_variance(const GofPlan& plan, GofStatistic statistic, double n) {
  TACET_TRY(const inference::GofDesign design, inference::GofDesign::of(plan.null, n, inference::cell_noise(plan.noise)));
  TACET_TRY(const std::vector<double> alternative,
            inference::probabilities_of(plan.alternative, "alternative", inference::ZeroCells::Allowed));
  return inference::gof_variance(design, statistic, alternative);
}

Result<double> gof_naive_level(const GofPlan& plan, double n) {
  TACET_TRY(const inference::GofDesign design, inference::GofDesign::of(plan.null, n, inference::cell_noise(plan.noise)));
  TACET_TRY(const numeric::WeightedChi2 noisy, inference::gof_null_distribution(design, GofStatistic::Classical));
  const auto empty = static_cast<double>(std::count(design.null().begin(), design.null().end(), 0.0));
  const std::vector<numeric::ChiTerm> pearson = {{.weight = 1, .df = static_cast<double>(design.cells()) - empty - 1}};
  TACET_TRY(const numeric::WeightedChi2 without, numeric::WeightedChi2::of(pearson));
  return noisy.upper(without.upper_quantile(plan.alpha));
}

PowerPlan gof_power_plan(const GofPlan& plan) {
  // The noise must stay in the domain of a design: at least 1e-12 of n.
  const double most = std::min(kMostPeople, std::floor(inference::cell_noise(plan.noise).variance * 0.99e12));
  return {[&plan](GofStatistic statistic, double n, const OptionalSimulation& simulation) {
            return gof_plan_power(plan, statistic, n, simulation);
          },
          plan.alpha,
          most,
          {},
          inference::denoises(plan.denoise)};
}

}  // namespace tacet::planning
