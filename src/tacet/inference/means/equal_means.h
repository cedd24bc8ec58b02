// tacet/inference/means/equal_means.h: have two or more groups the same mean? Hotelling's test and its relative for k groups, knowing the noise.
//
//   MeansTest test = *test_equal_means({first, second}, {.alpha = 0.05});        // summaries of two groups
//   test.outcome;  test.p_value;
//
// With W_g = A/n_g + C_g, A the weighting of a row (its covariance, where noise does not hide it) and C_g that of the noise of group g, m = (sum of W_g^-1)^-1 sum of W_g^-1 x_g:
//
//   T = sum over groups of (x_g - m)' W_g^-1 (x_g - m);          two groups: (x_1 - x_2)' (W_1 + W_2)^-1 (x_1 - x_2)
//
// A is made of the groups' covariances together, each weighted with 1/n_g: of two groups only the sum of the S_g/n_g matters, equal or not, and noise
// hides less of it than of each. More than two groups are weighted with n_g, or with unequal
// covariances each has its own. The print of Hotelling (3.1) lacks
// the factor of its noise correction, see docs/explanation/two_samples.md.
// Null law: x_g* normal with the covariance for the null law (mean_summary.h) plus noise of the release's own law, T* with the same W, divided by
// (1 - w) + w c, c chi-square with f - d + 1 degrees of freedom over f and w the share of sampling in W: the loss of Hotelling's F law against chi-square, for
// the part that is estimated. 1/f is that of the weighted covariance (Welch), and (k/d)^2 times the mean of (s/l)^2 over the k eigenvalues l that noise, s in a
// product, does not hide: to second order it disturbs an inverse as a sample of (l/s)^2 rows would. p = (1 + #{T* >= T})/(B + 1).
// Theorem  asymptotic: Dunsche, Kutta & Dette (2022), Theorem 3.2.1. For finite n: no proof; its level is measured.
// Domain   2 to 1000 groups, 1 to 64 columns, the same in each (f of the people alone below d: inconclusive); 10^-9 <= alpha <= 1/2, draws as monte_carlo.h.
// Cost     d^2 for each group and draw: d = 30, two groups, 1000 draws 3 to 4 ms (bench/means_bench.cc).
// Checked  tests/inference/equal_means_test.cc: level over dimensions, sizes, noise and covariances; the printed law is caught.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_summary.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/inference/outcome.h"

namespace tacet::inference {

struct MeansOptions {
  double alpha;
  bool equal_covariances = true;
  bool with_power = true;
  Simulation simulation = {.draws = 1999};
};

struct MeansTest {
  std::optional<double> statistic;  // nothing of these three: the outcome is inconclusive
  double df;
  std::optional<double> p_value, critical;
  Outcome outcome;
  std::optional<std::string> reason;  // of an inconclusive outcome
  std::string null_distribution;      // in words
  std::size_t draws;
  double noise_share;  // of the variance of the difference: 1 where noise hides everything else
  /// How often a difference of the estimated size, in the direction that was seen, is rejected.
  std::optional<double> power;  // nothing: not asked for, or inconclusive
};

Result<MeansTest> test_equal_means(const std::vector<MeanSummary>& groups, const MeansOptions& options);

}  // namespace tacet::inference
