// tacet/planning/gof_plan.h: how many people a noisy goodness-of-fit test needs to see a given deviation.
//
//   GofPlan plan{.null = {0.5, 0.3, 0.2}, .alternative = {0.52, 0.29, 0.19}, .noise_variance = 800, .alpha = 0.05};
//   double n = *people_for_power(plan, GofStatistic::Projected, 0.8);
//
// Theorem  the laws of inference/gof_law.h, local alternatives; their power grows with n at a given noise, so that bisection finds the least n.
// Domain   as gof_law.h; power between alpha and 1; answers to 10^12.
// Error    n is the least whole number at which the computed power reaches the wanted one.
// Cost     at most 80 powers.                     Checked  tests/planning/gof_plan_test.cc: one person fewer is not enough.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/gof_law.h"

namespace tacet::planning {

struct GofPlan {
  std::vector<double> null, alternative;
  double noise_variance;  // of each cell: 1/rho for a table under replace-one
  double alpha;
};

/// The power with n people. InvalidArgument outside the domain, and where null and alternative differ in shape.
Result<double> gof_plan_power(const GofPlan& plan, inference::GofStatistic statistic, double n);

/// The least n; InvalidArgument for a power outside (alpha, 1), Unsupported where 10^12 people are not enough.
Result<double> people_for_power(const GofPlan& plan, inference::GofStatistic statistic, double power);

}  // namespace tacet::planning
