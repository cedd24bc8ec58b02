// tacet/planning/gof_plan.h: what a noisy goodness-of-fit test will see.
//
//   GofPlan plan{.null = {0.5, 0.3, 0.2}, .alternative = {0.52, 0.29, 0.19}, .noise = law, .alpha = 0.05};
//   double power = gof_plan_power(plan, GofStatistic::Projected, 5000)->power;                          // by the laws for large n
//   PlannedPower p = *gof_plan_power(plan, GofStatistic::Projected, 5000, Simulation{.draws = 9999});   // by tables that are drawn
//   double n = *people_for_power(gof_power_plan(plan), GofStatistic::Projected, 0.8);                   // planning/power_curve.h
//
// Theorem  the laws of inference/counts/gof_statistic.h, local alternatives. Laplace noise counts as normal noise of the same variance there. Simulation: tables
//          of both truths with the noise as it is, and the critical value from those of the null (inference/counts/gof_simulation.h): exact for
//          every n and noise up to its standard error.
// Domain   as gof_statistic.h, and noisy_tables.h where simulated.
// Cost     gof_statistic.h; simulated: gof_simulation.h, twice.
// Checked  tests/planning/gof_plan_test.cc: simulation and laws agree where n is large.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/planning/power_curve.h"

namespace tacet::planning {

struct GofPlan {
  std::vector<double> null, alternative;
  mechanisms::NoiseDistribution noise;
  double alpha;
};

/// InvalidArgument outside the domain, and where null and alternative differ in shape.
Result<PlannedPower> gof_plan_power(const GofPlan& plan, inference::GofStatistic statistic, double n,
                                    const OptionalSimulation& simulation = std::nullopt);

/// `plan` must outlive it.
PowerPlan gof_power_plan(const GofPlan& plan);

}  // namespace tacet::planning
