// tacet/planning/homogeneity_plan.h: the power of a comparison of groups on noisy counts.
//
//   HomogeneityPlan plan{.alternative = {{0.5, 0.3, 0.2}, {0.45, 0.33, 0.22}}, .shares = {1, 1},
//                        .noise = noise, .alpha = 0.05};
//   double power = homogeneity_plan_power(plan, GofStatistic::Projected, 4000)->power;
//   // planning/power_curve.h: the people of all groups together
//   double n = *people_for_power(homogeneity_power_plan(plan), GofStatistic::Projected, 0.8);
//
// Theorem  Projected: noncentral chi-square with (groups - 1)(cells - 1) degrees of freedom, the
//          noncentrality the statistic of the expected tables (inference/counts/
//          homogeneity_statistic.h); Laplace noise counts as normal noise of the same variance.
//          Simulation: tables of the groups and tables of the pooled probabilities, for the
//          critical value. Classical statistics and denoised tables: by simulation only.
// Domain   2 to 1000 groups of 2 cells or more, positive probabilities; shares greater than 0;
//          simulated: at least one person in each group, n to 2^50, 10^6 cells altogether.
// Cost     microseconds; simulated: inference/counts/homogeneity.h, twice.
// Checked  tests/planning/homogeneity_plan_test.cc: simulation and distributions agree; the power
//          of two large groups against a formula.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/planning/power_curve.h"

namespace tacet::planning {

struct HomogeneityPlan {
  std::vector<std::vector<double>> alternative;  // the probabilities of each group
  std::vector<double> shares;                    // of the people, in any unit; one for each group
  mechanisms::NoiseDistribution noise;           // of each cell
  double alpha;
  bool n_public = true;  // of each group; false for groups of one release
  /// Of all tables for the classical statistic. The projected one is for tables as they are.
  inference::DenoiseOptions denoise = {};
};

/// InvalidArgument unless every group has the same cells, and as many shares as groups.
Status check_homogeneity_plan(const HomogeneityPlan& plan);
/// The pooled probabilities times the shares, group by group: the expected table of one person.
std::vector<double> pooled_table(const HomogeneityPlan& plan);

/// `n`: the people of all groups together. Unsupported for the nonprojected statistic, and for what
/// needs a simulation without one.
Result<PlannedPower> homogeneity_plan_power(const HomogeneityPlan& plan, inference::GofStatistic statistic, double n,
                                            const OptionalSimulation& simulation = std::nullopt);

/// `plan` must outlive it.
PowerPlan homogeneity_power_plan(const HomogeneityPlan& plan);

}  // namespace tacet::planning
