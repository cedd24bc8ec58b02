// tacet/planning/independence_plan.h: the power of a test of independence on noisy counts.
//
//   IndependencePlan plan{.shape = {2, 2}, .alternative = {0.27, 0.23, 0.23, 0.27}, .noise = noise,
//                         .alpha = 0.05};
//   double power = independence_plan_power(plan, GofStatistic::Projected, 2000)->power;
//   // planning/power_curve.h
//   double n = *people_for_power(independence_power_plan(plan), GofStatistic::Projected, 0.8);
//
// Theorem  the distributions of inference/counts/independence.h, local alternatives; Laplace noise
//          counts as normal noise of the same variance. Simulation: tables that follow
//          `alternative`, and independent tables with its margins for the critical value, as
//          inference/counts/gof_simulation.h.
// Domain   r x c from 2 x 2 to 10^6 cells (classical without simulation: 1000), positive
//          probabilities with sum 1; n to 10^12, simulated 2^50.
// Cost     a fit; simulated: two for each draw, and as many for all statistics together.
// Checked  tests/planning/independence_plan_test.cc: simulation and distributions agree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/planning/power_curve.h"

namespace tacet::planning {

struct IndependencePlan {
  inference::TableShape shape;
  std::vector<double> alternative;
  mechanisms::NoiseDistribution noise;
  double alpha;
};

Result<PlannedPower> independence_plan_power(const IndependencePlan& plan, inference::GofStatistic statistic, double n,
                                             const OptionalSimulation& simulation = std::nullopt);

/// `plan` must outlive it.
PowerPlan independence_power_plan(const IndependencePlan& plan);

}  // namespace tacet::planning
