// tacet/planning/power_curve.h: the number of people that a test needs, and curves of its power.
//
//   PowerPlan plan = gof_power_plan({.null = {0.5, 0.3, 0.2}, .alternative = {0.52, 0.29, 0.19},
//                                    .noise = noise, .alpha = 0.05});
//   double n = *people_for_power(plan, GofStatistic::Projected, 0.8);
//   PowerCurves curves = *power_curves(plan, n, inference::Simulation{.draws = 9999});
//
// Theorem  For given noise, the power by the limit for large n grows with n, and people_needed.h
//          finds the least n. A simulation uses the same draws for every n, so the search sees a
//          smooth curve.
// Domain   that of the plan's power; a power between alpha and 1; results up to plan.most.
// Error    n by the limit: the least whole number whose computed power is the wanted one. n by
//          simulation: the same with the simulated power, to one part in 500.
// Cost     at most 80 powers; 41 for each curve.
// Checked  tests/planning/gof_plan_test.cc and independence_plan_test.cc: one person fewer is not
//          enough; curves rise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::planning {

struct PlannedPower {
  double power;
  std::optional<double> standard_error;  // of a simulated power
};

using OptionalSimulation = std::optional<inference::Simulation>;

/// The power of one statistic, or why it is not computed.
struct PlannedStatistic {
  inference::GofStatistic statistic;
  Result<PlannedPower> power;
};

/// A planned test: its power with n people, by simulation if one is given.
struct PowerPlan {
  std::function<Result<PlannedPower>(inference::GofStatistic statistic, double n, const OptionalSimulation& simulation)> power;
  double alpha;
  double most;  // no power is computed for more people
  /// The power of every statistic by one simulation, if that is less work than one for each.
  std::function<std::vector<PlannedStatistic>(double n, const inference::Simulation& simulation)> simulated_powers = {};
  /// Some statistic has no limit: the search of simulated powers starts from the projected one.
  bool starts_projected = false;
};

/// Classical, projected and nonprojected.
std::vector<PlannedStatistic> powers_of_all(const PowerPlan& plan, double n, const OptionalSimulation& simulation = std::nullopt);

/// The least n; InvalidArgument for a power outside (alpha, 1), Unsupported if plan.most people
/// are not enough.
Result<double> people_for_power(const PowerPlan& plan, inference::GofStatistic statistic, double power,
                                const OptionalSimulation& simulation = std::nullopt);

/// The power of every statistic that has one for this test, at 41 numbers of people, evenly on a
/// logarithmic scale, from a twentieth of `middle` to twenty times as many.
struct PowerCurve {
  inference::GofStatistic statistic;
  std::vector<PlannedPower> powers;
};
struct PowerCurves {
  std::vector<double> people;
  std::vector<PowerCurve> curves;
};
Result<PowerCurves> power_curves(const PowerPlan& plan, double middle, const OptionalSimulation& simulation = std::nullopt);

}  // namespace tacet::planning
