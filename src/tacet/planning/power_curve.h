// tacet/planning/power_curve.h: from the power of a test with n people to the people it needs, and to curves.
//
//   PowerPlan plan = gof_power_plan({.null = {0.5, 0.3, 0.2}, .alternative = {0.52, 0.29, 0.19}, .noise = law, .alpha = 0.05});
//   double n = *people_for_power(plan, GofStatistic::Projected, 0.8);
//   PowerCurves curves = *power_curves(plan, n, Simulation{.draws = 9999});
//
// Theorem  by the laws for large n the power grows with n at a given noise: people_needed.h finds the least n. By simulation the same draws serve every
//          n, so that a search sees a smooth curve.
// Domain   that of the plan's power; a power between alpha and 1; answers to plan.most.
// Error    n by the laws: the least whole number at which the computed power reaches the wanted one. n by simulation: the same with the power as
//          simulated, to one part in 500.
// Cost     at most 80 powers; 41 for each curve.
// Checked  tests/planning/gof_plan_test.cc and independence_plan_test.cc: one person fewer is not enough; curves rise.
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
  double standard_error;  // 0: not simulated
};

using OptionalSimulation = std::optional<inference::Simulation>;

/// A test that is planned: its power with n people, by simulation where one is given.
struct PowerPlan {
  std::function<Result<PlannedPower>(inference::GofStatistic statistic, double n, const OptionalSimulation& simulation)> power;
  double alpha;
  double most;  // people beyond which there is no power
};

/// The least n; InvalidArgument for a power outside (alpha, 1), Unsupported where plan.most people are not enough.
Result<double> people_for_power(const PowerPlan& plan, inference::GofStatistic statistic, double power,
                                const OptionalSimulation& simulation = std::nullopt);

/// The power of every statistic that has one, from few people to many: 41 sizes, evenly on a logarithmic scale, from a twentieth of `middle` to
/// twenty times as many.
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
