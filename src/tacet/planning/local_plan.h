// tacet/planning/local_plan.h: the power of tests on reports that people will randomise themselves.
//
//   LocalGofPlan plan{.null = {0.5, 0.3, 0.2}, .alternative = {0.52, 0.29, 0.19},
//                     .randomizer = {mechanisms::LocalKind::Exp, /*epsilon=*/1}, .alpha = 0.05};
//   double power = local_gof_power(plan, GofStatistic::Classical, 20'000)->power;
//   double n = *people_for_power(local_gof_power_plan(plan), GofStatistic::Classical, 0.8);
//
// Which randomizer finds most depends on the number of categories: at one epsilon, exp is best for
// few and flip for many. With equal probabilities that is more than e^(3 epsilon/2) + e^(epsilon/2)
// + 2: from nine at epsilon 1 (docs/explanation/tests.md).
// Theorem  the distributions of inference/local/local_goodness_of_fit.h (Rogers 8.2.2, 8.2.6,
//          8.2.11) and local_independence.h (8.2.8). Simulation: collections of reports of both
//          hypotheses; the critical value is that of the null hypothesis, for independence of the
//          independent table with the margins of the alternative.
// Domain   as those headers; n to 10^12, simulated 2^50. Independence: the projected statistic, or
//          the classical one for exp, with which it coincides.
// Error    by the limit: that of the normal approximation; simulated: the standard error.
// Cost     milliseconds; simulated: inference/local/local_tables.h, twice.
// Checked  tests/planning/local_plan_test.cc: noncentralities by hand; simulation agrees.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/planning/power_curve.h"

namespace tacet::planning {

struct LocalGofPlan {
  std::vector<double> null, alternative;
  mechanisms::LocalRandomizer randomizer;
  double alpha;
};
Result<PlannedPower> local_gof_power(const LocalGofPlan& plan, inference::GofStatistic statistic, double n,
                                     const OptionalSimulation& simulation = std::nullopt);
/// `plan` must outlive it.
PowerPlan local_gof_power_plan(const LocalGofPlan& plan);

struct LocalIndependencePlan {
  inference::TableShape shape;
  std::vector<double> alternative;
  mechanisms::LocalRandomizer randomizer;
  double alpha;
};
Result<PlannedPower> local_independence_plan_power(const LocalIndependencePlan& plan, inference::GofStatistic statistic, double n,
                                                   const OptionalSimulation& simulation = std::nullopt);
/// `plan` must outlive it.
PowerPlan local_independence_power_plan(const LocalIndependencePlan& plan);

}  // namespace tacet::planning
