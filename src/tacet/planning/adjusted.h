// tacet/planning/adjusted.h: what a query that is adjusted to the analysis gains: noise, powers and volumes of three ways to ask for a mean.
//
//   AdjustedPlan plan = *plan_adjusted({.covariance = sigma, .eta = eta, .n = 50, .epsilon = 1, .delta = 0.02, .gamma = 1e-4});
//   plan.adjusted               0.65: the power of the likelihood-ratio test of mean 0 against eta, asked for by the whitened query
//   plan.opt_Hf                 0.48: by the plain query
//
// The rows are normal with a known covariance S. f is their mean, g = (S/n)^-1/2 f the adjusted query, asked for under random differential privacy:
// (epsilon, delta) except for neighbours of probability gamma, those outside H_g = {|g - g'| <= D(g)} or H_f = {|f - f'| <= D(f)}. Random
// differential privacy does not protect extreme people: this is a study, and releases are made with trimming (release query --covariance).
//
// Theorem  Adjusted, section 3: D(g)^2 = 2 q/n, q the upper gamma quantile of chi-square_d; D(fg)^2 = lambda_max(S/n) D(g)^2; D(f)^2 = 2/n times the upper
//          gamma quantile of sum of lambda_i(S/n) chi2_1; sigma = D times the least sigma of calibration.h. With V = S/n + sigma^2 I the power of the optimal
//          test is Phi(sqrt(eta' V^-1 eta) - z), of the naive one Phi(a' eta/sqrt(a' V a) - z), a = (S/n)^-1 eta; of the adjusted one
//          Phi(sqrt(eta' (S/n)^-1 eta/(1 + sigma_g^2)) - z). The super-naive one takes z for S/n alone: its level is upper(z sqrt(a' S/n a/a' V a)). Volumes
//          are as sqrt(det) of the covariances.
// Domain   1 to 64 columns; S symmetric and positive definite, its condition below 10^12; 1 <= n <= 10^15; epsilon and delta as calibration.h;
//          10^-12 <= gamma <= 0.5; 10^-9 <= alpha <= 0.5. Outside: InvalidArgument.
// Error    relative 10^-11.       Cost  two quantiles and an eigenproblem.       Checked  tests/planning/adjusted_test.cc: independent values.
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
  double super_naive_Hf_level, naive_Hf, opt_Hg, opt_Hf,
      adjusted;  // the names of the paper's Figure 1; the first is a level, the others powers
  double vol_ratio_g_over_f, vol_ratio_g_over_fg;
};

Result<AdjustedPlan> plan_adjusted(const AdjustedQuestion& question);

}  // namespace tacet::planning
