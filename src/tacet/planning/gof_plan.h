// tacet/planning/gof_plan.h: what a noisy goodness-of-fit test will see: its power, the people it needs, and both as curves.
//
//   GofPlan plan{.null = {0.5, 0.3, 0.2}, .alternative = {0.52, 0.29, 0.19}, .noise = law, .alpha = 0.05};
//   double power = gof_plan_power(plan, GofStatistic::Projected, 5000)->power;                          // by the laws for large n
//   PlannedPower p = *gof_plan_power(plan, GofStatistic::Projected, 5000, Simulation{.draws = 9999});   // by tables that are drawn
//   double n = *people_for_power(plan, GofStatistic::Projected, 0.8);
//
// Theorem  the laws of inference/gof_law.h, local alternatives; their power grows with n at a given noise, so that bisection finds the least n.
//          Laplace noise counts as normal noise of the same variance there. Simulation: tables of both truths with the noise as it is, and the
//          critical value from those of the null (inference/gof_simulation.h): exact for every n and noise up to its standard error.
// Domain   as gof_law.h, and noisy_tables.h where simulated; power between alpha and 1; answers to 10^12.
// Error    n by the laws: the least whole number at which the computed power reaches the wanted one. n by simulation: the same with the power as
//          simulated, to one part in 500; the same draws serve every n, so that the search sees a smooth curve.
// Cost     at most 80 powers.
// Checked  tests/planning/gof_plan_test.cc: one person fewer is not enough; simulation and laws agree where n is large.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/gof_law.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/mechanisms/release_file.h"

namespace tacet::planning {

struct GofPlan {
  std::vector<double> null, alternative;
  mechanisms::NoiseLaw noise;
  double alpha;
};

struct PlannedPower {
  double power;
  double standard_error;  // 0: not simulated
};

/// The power with n people, by simulation where one is given. InvalidArgument outside the domain, and where null and alternative differ in shape.
Result<PlannedPower> gof_plan_power(const GofPlan& plan, inference::GofStatistic statistic, double n,
                                    const std::optional<inference::Simulation>& simulation = std::nullopt);

/// The least n; InvalidArgument for a power outside (alpha, 1), Unsupported where 10^12 people are not enough.
Result<double> people_for_power(const GofPlan& plan, inference::GofStatistic statistic, double power,
                                const std::optional<inference::Simulation>& simulation = std::nullopt);

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
Result<PowerCurves> gof_power_curves(const GofPlan& plan, double middle,
                                     const std::optional<inference::Simulation>& simulation = std::nullopt);

}  // namespace tacet::planning
