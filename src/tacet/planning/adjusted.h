// tacet/planning/adjusted.h: noise, power and volume of three queries for a mean, with and without
// adjustment to the analysis.
//
//   AdjustedPlan plan = *plan_adjusted({.covariance = {2, 2, {400, 90, 90, 225}}, .eta = {10, 5},
//                                       .n = 50, .epsilon = 1, .delta = 0.02, .gamma = 1e-4});
//   plan.adjusted;    // the power of the test of mean 0 against eta, by the whitened query
//   plan.opt_Hf;      // by the plain query
//
// The rows are normal with a known covariance S. f is their mean, and g = (S/n)^-1/2 f is the
// adjusted query. Both are under random differential privacy: (epsilon, delta) except for
// neighbours of probability gamma, those outside H_g = {|g - g'| <= D(g)} or H_f = {|f - f'| <=
// D(f)}. Random differential privacy does not protect extreme people, so this is for studies only;
// releases clip instead (release query --covariance). `trimmed` is the power by differential
// privacy: whitened rows are kept within the length r that a share gamma exceeds, so that the
// sensitivity is 2r/n for every pair of neighbours. The paper remarks that this needs 4 epsilon.
// Theorem  Adjusted, section 3; docs/explanation/adjusted_queries.md
// Domain   1 to 64 columns; S symmetric and positive definite, its condition below 10^12; 1 <= n
//          <= 10^15; epsilon and delta as calibration.h; 10^-12 <= gamma <= 0.5; 10^-9 <= alpha <=
//          0.5. Outside: InvalidArgument.
// Error    relative 10^-11.
// Cost     two quantiles and an eigenproblem.
// Checked  tests/planning/adjusted_test.cc: independent values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"

namespace tacet::planning {

struct AdjustedQuestion {
  mechanisms::Matrix covariance;  // of a row
  std::vector<double> eta;
  double n, epsilon, delta, gamma;
  double alpha = 0.05;
};

struct AdjustedPlan {
  double sigma_g, sigma_fg, sigma_f;
  /// The names of the paper's Figure 1; the first is a level, the others are powers.
  double super_naive_Hf_level, naive_Hf, opt_Hg, opt_Hf, adjusted;
  double vol_ratio_g_over_f, vol_ratio_g_over_fg;
  double D_g, D_fg, D_f;  // sensitivities for the protected neighbours
  /// Powers under differential privacy, at epsilon and at 4 epsilon; the effect of trimming on the
  /// rows is left out, as in the paper.
  double trimmed, trimmed_4_epsilon;
  /// The same at epsilon with that effect: longer rows are shortened to r, or count as 0.
  double clipped, removed;
};

Result<AdjustedPlan> plan_adjusted(const AdjustedQuestion& question);

/// One plan for each epsilon, in order: Figure 1 of the paper.
Result<std::vector<AdjustedPlan>> adjusted_curve(const AdjustedQuestion& question, const std::vector<double>& epsilons);

}  // namespace tacet::planning
