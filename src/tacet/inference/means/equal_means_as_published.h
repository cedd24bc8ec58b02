// tacet/inference/means/equal_means_as_published.h: the two tests of Dunsche, Kutta & Dette (2022)
// for two groups as they are published, for comparison. They do not keep their level.
//
//   const MeanSummary first = *summarise_mean(release, 0), second = *summarise_mean(release, 1);
//   MeansTest test = *equal_means_as_published(
//       {first, second}, {.rule = PublishedRule::Bootstrap, .alpha = 0.05});
//
// Both have the statistic (3.1), with h = n1 n2/(n1 + n2), D the difference of the noisy means,
// S_g the noisy covariance of group g (the nearest one that is possible) and c_g the variances of
// the noise of its mean:
//
//   t = h D' (((n1 - 1) S_1 + (n2 - 1) S_2)/(n1 + n2 - 2) + diag(c_1 + c_2))^-1 D
//
// The noise of D enters t with the factor h, which c_1 + c_2 lacks: the statistic is too large.
//
//   Asymptotic  (3.2): rejects beyond the quantile of chi-square with d degrees of freedom
//   Bootstrap   (3.3): rejects beyond the floor((1 - alpha) B)-th of B simulated statistics,
//               Algorithm 3
//
// Use test_equal_means (equal_means.h), which keeps its level.
// Domain   two groups, 1 to 64 columns; covariances by "ed", as in the paper, or any other.
// Error    double arithmetic, and that of the draws.
// Cost     d^2 for each draw.
// Checked  tests/inference/equal_means_as_published_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/means/equal_means.h"

namespace tacet::inference {

enum class PublishedRule : std::uint8_t { Asymptotic, Bootstrap };

struct PublishedOptions {
  PublishedRule rule;
  double alpha;
  Simulation simulation = {.draws = 1999};
};

Result<MeansTest> equal_means_as_published(const std::vector<MeanSummary>& groups, const PublishedOptions& options);

}  // namespace tacet::inference
