// tacet/inference/means/equal_means.h: tests whether two or more groups have the same mean, on
// noisy means.
//
//   MeanSummary first = *summarise_mean(release, 0), second = *summarise_mean(release, 1);
//   MeansTest test = *test_equal_means({first, second}, {.alpha = 0.05});   // two summaries
//   test.outcome;  test.p_value;
//
// This is Hotelling's test, and its extension to k groups, with the noise in the weights: W_g =
// A/n_g + C_g, where A is the covariance of a row as far as noise does not hide it, and C_g that
// of the noise of group g. With m = (sum of W_g^-1)^-1 sum of W_g^-1 x_g:
//
//   T = sum over groups of (x_g - m)' W_g^-1 (x_g - m)
//   two groups: T = (x_1 - x_2)' (W_1 + W_2)^-1 (x_1 - x_2)
//
// The null distribution is simulated with the noise of the releases; p = (1 + #{T* >= T})/(B + 1).
// docs/explanation/two_samples.md has A and the simulation, and says what differs from the paper.
// Theorem  asymptotic: Dunsche, Kutta & Dette (2022), Theorem 3.2.1. For finite n: no proof; its
//          level was measured.
// Domain   2 to 1000 groups, 1 to 64 columns, the same in each; inconclusive if the people alone
//          give fewer than d degrees of freedom; 10^-9 <= alpha <= 1/2, draws as monte_carlo.h.
//          Not for covariances by "ed", whose directions have an error that the test does not
//          know.
// Cost     d^2 for each group and draw: d = 30, two groups, 1000 draws 3 to 4 ms
//          (bench/means_bench.cc).
// Checked  tests/inference/equal_means_test.cc: level over dimensions, sizes, noise and
//          covariances; the distribution of the paper is caught.
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
  std::optional<double> statistic;  // this, p_value and critical are empty if inconclusive
  double df;
  std::optional<double> p_value, critical;
  Outcome outcome;
  std::optional<std::string> reason;             // of an inconclusive outcome
  std::optional<std::string> null_distribution;  // in words; empty if inconclusive
  std::optional<std::size_t> draws;              // empty if inconclusive
  /// Of the variance of the difference: 1 if noise hides everything else. Empty if unknown.
  std::optional<double> noise_share;
  /// The power against a difference of the estimated size in the observed direction; empty if not
  /// asked for, or if inconclusive.
  std::optional<double> power;
};

Result<MeansTest> test_equal_means(const std::vector<MeanSummary>& groups, const MeansOptions& options);

}  // namespace tacet::inference
