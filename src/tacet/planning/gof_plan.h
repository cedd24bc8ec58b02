// tacet/planning/gof_plan.h: the power of a goodness-of-fit test on noisy counts.
//
//   GofPlan plan{.null = {0.5, 0.3, 0.2}, .alternative = {0.52, 0.29, 0.19}, .noise = noise,
//                .alpha = 0.05};
//   // For large n; by simulation; and the number of people (planning/power_curve.h).
//   double power = gof_plan_power(plan, GofStatistic::Projected, 5000)->power;
//   PlannedPower p =
//       *gof_plan_power(plan, GofStatistic::Projected, 5000, inference::Simulation{.draws = 9999});
//   double n = *people_for_power(gof_power_plan(plan), GofStatistic::Projected, 0.8);
//
// Theorem  the distributions of inference/counts/gof_statistic.h, local alternatives. Laplace
//          noise counts as normal noise of the same variance there. Simulation: tables of both
//          hypotheses with the noise of the plan, the critical value from those of the null
//          hypothesis (inference/counts/gof_simulation.h); exact for every n and noise up to its
//          standard error.
// Domain   as gof_statistic.h, and noisy_tables.h for a simulation.
// Cost     gof_statistic.h; simulated: gof_simulation.h, twice.
// Checked  tests/planning/gof_plan_test.cc: simulation and distributions agree for large n.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/planning/power_curve.h"

namespace tacet::planning {

struct GofPlan {
  std::vector<double> null, alternative;
  mechanisms::NoiseDistribution noise;
  double alpha;
  /// Of the table for the classical statistic, and of those of the null hypothesis: by simulation
  /// only. The others are for the table as it is released.
  inference::DenoiseOptions denoise = {};
};

/// InvalidArgument outside the domain, and if null and alternative differ in shape. Unsupported
/// without a simulation for the classical statistic of denoised tables.
Result<PlannedPower> gof_plan_power(const GofPlan& plan, inference::GofStatistic statistic, double n,
                                    const OptionalSimulation& simulation = std::nullopt);

/// The variance of the statistic under the alternative, for large n (Rogers 7.2.12).
Result<double> gof_plan_variance(const GofPlan& plan, inference::GofStatistic statistic, double n);
/// How often Pearson's test on the noisy table, which forgets the noise, rejects a true null
/// hypothesis, for large n: chi-square with cells - 1 degrees of freedom against the distribution
/// that the noise leaves (Rogers 6.1). Unsupported for more than inference::kMostClassicalCells.
Result<double> gof_naive_level(const GofPlan& plan, double n);

/// `plan` must outlive it.
PowerPlan gof_power_plan(const GofPlan& plan);

}  // namespace tacet::planning
