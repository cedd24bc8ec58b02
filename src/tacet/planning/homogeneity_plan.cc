#include "tacet/planning/homogeneity_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/chi2_power.h"
#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/homogeneity.h"
#include "tacet/inference/level.h"
#include "tacet/numeric/weighted_chi2.h"
#include "tacet/planning/people_needed.h"

namespace tacet::planning {
namespace {

using inference::GofStatistic;
using inference::HomogeneityStatistic;

std::vector<double> parts_of_all(const std::vector<double>& shares) {
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<double> parts;
  for (const double share : shares) parts.push_back(share / all);
  return parts;
}

HomogeneityStatistic statistic_of(const HomogeneityPlan& plan, GofStatistic kind) {
  const inference::CellNoise noise = inference::cell_noise(plan.noise);
  const bool known = plan.n_public || noise.structure == mechanisms::NoiseStructure::SumZero;
  return {kind, plan.alternative[0].size(), std::vector<inference::GroupNoise>(plan.alternative.size(), {noise.variance, known})};
}

/// The noncentrality for large n: the statistic of the tables as they are expected.
double power_by_limit(const HomogeneityPlan& plan, double n) {
  const std::vector<double> parts = parts_of_all(plan.shares);
  std::vector<double> values, people;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    people.push_back(n * parts[i]);
    for (const double p : plan.alternative[i]) values.push_back(people[i] * p);
  }
  HomogeneityStatistic statistic = statistic_of(plan, GofStatistic::Projected);
  const double noncentrality = statistic.evaluate(values, people);
  const std::vector<numeric::ChiTerm> null = {{.weight = 1, .df = statistic.df()}};
  const double critical = numeric::WeightedChi2::of(null)->upper_quantile(plan.alpha);
  return inference::noncentral_upper(statistic.df(), noncentrality, critical);
}

std::vector<double> pooled_of(const HomogeneityPlan& plan) {
  const std::vector<double> parts = parts_of_all(plan.shares);
  std::vector<double> pooled(plan.alternative[0].size(), 0.0);
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < pooled.size(); ++j) pooled[j] += parts[i] * plan.alternative[i][j];
  return pooled;
}

Result<PlannedPower> power_by_simulation(const HomogeneityPlan& plan, GofStatistic kind, double n,
                                         const inference::Simulation& simulation) {
  const std::size_t cells = plan.alternative.size() * plan.alternative[0].size();
  TACET_CHECK(inference::check_draws(simulation.draws.value_or(inference::kUsualDraws), plan.alpha));
  std::vector<mechanisms::CountRelease> groups;
  std::vector<double> people;
  for (const double part : parts_of_all(plan.shares)) {
    people.push_back(std::max(1.0, std::nearbyint(n * part)));
    TACET_CHECK(inference::check_simulated(cells, people.back()));
    mechanisms::CountRelease group{};
    group.shape = {plan.alternative[0].size()};
    group.noise = plan.noise;
    if (plan.n_public) group.n = people.back();
    groups.push_back(std::move(group));
  }
  const inference::DenoiseOptions denoise = kind == GofStatistic::Classical ? plan.denoise : inference::DenoiseOptions{};
  if (inference::denoises(denoise)) {
    // For the error, if such tables cannot be denoised.
    std::vector<double> expected = plan.alternative[0];
    for (double& cell : expected) cell *= people[0];
    const auto tried = inference::denoised_values(expected, plan.noise, groups[0].n, denoise);
    if (!tried) return tried.error();
  }
  const HomogeneityStatistic statistic = statistic_of(plan, kind);
  inference::Simulation others = simulation;
  others.seed = ~others.seed;
  const inference::SimulatedPower simulated =
      inference::simulated_power(inference::simulate_homogeneity(groups, people, {pooled_of(plan)}, statistic, denoise, simulation),
                                 inference::simulate_homogeneity(groups, people, plan.alternative, statistic, denoise, others), plan.alpha);
  return PlannedPower{simulated.power, simulated.standard_error};
}

}  // namespace

Status check_homogeneity_plan(const HomogeneityPlan& plan) {
  const std::size_t groups = plan.alternative.size();
  if (groups < 2 || groups > inference::kMostGroups) {
    return Error::invalid("alternative", fmt::format("{} group{}", groups, groups == 1 ? "" : "s"),
                          fmt::format("must have 2 to {} groups, a list of probabilities each", inference::kMostGroups),
                          "for example [[0.5, 0.3, 0.2], [0.4, 0.4, 0.2]]");
  }
  for (const std::vector<double>& group : plan.alternative) {
    if (group.size() != plan.alternative[0].size())
      return Error::invalid("alternative", "groups with different cells", "must have the same cells in every group");
    if (const auto checked = inference::probabilities_of(group, "alternative"); !checked) return checked.error();
  }
  if (plan.shares.size() != groups) {
    return Error::invalid("shares", fmt::format("{} numbers", plan.shares.size()),
                          fmt::format("must be one for each of the {} groups", groups), "for example: shares = 1,1");
  }
  for (const double share : plan.shares) {
    if (!(share >= 1e-6 && share <= 1e6))
      return Error::invalid("shares", fmt::format("{}", share), "must be numbers greater than 0, from 1e-6 to 1e6");
  }
  return inference::check_alpha(plan.alpha);
}

std::vector<double> pooled_table(const HomogeneityPlan& plan) {
  const std::vector<double> pooled = pooled_of(plan);
  std::vector<double> table;
  for (const double part : parts_of_all(plan.shares))
    for (const double p : pooled) table.push_back(part * p);
  return table;
}

Result<PlannedPower> homogeneity_plan_power(const HomogeneityPlan& plan, GofStatistic statistic, double n,
                                            const OptionalSimulation& simulation) {
  TACET_CHECK(check_homogeneity_plan(plan));
  if (statistic == GofStatistic::Nonprojected) {
    return Error::of(Code::Unsupported, "groups are compared by the projected or the classical statistic", "use statistic = projected");
  }
  if (!(n >= 1)) return Error::invalid("n", fmt::format("{}", n), "must be at least 1");
  if (simulation) return power_by_simulation(plan, statistic, n, *simulation);
  if (statistic != GofStatistic::Projected)
    return Error::of(Code::Unsupported, "the power of the classical statistic of groups has no formula", "use method = simulation");
  return PlannedPower{power_by_limit(plan, n), std::nullopt};
}

PowerPlan homogeneity_power_plan(const HomogeneityPlan& plan) {
  return {[&plan](GofStatistic statistic, double n, const OptionalSimulation& simulation) {
            return homogeneity_plan_power(plan, statistic, n, simulation);
          },
          plan.alpha,
          kMostPeople,
          {},
          /*starts_projected=*/true};
}

}  // namespace tacet::planning
