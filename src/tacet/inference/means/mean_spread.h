// tacet/inference/means/mean_spread.h: the covariance of a row that tests of equal means use, and
// that of the noise of a mean; internal to this room.
//
//   std::vector<MeanSummary> groups = {*summarise_mean(release, 0), *summarise_mean(release, 1)};
//   MeanSpread spread = spread_of(groups);
//   Matrix error = spread.weighting / groups[0].people + noise_of_mean(groups[0]);
//
// The covariance is the average over the groups, of which noise hides less than of each group. Two
// groups are weighted by their parts of the variance of the difference, since only their sum
// matters. More groups with equal covariances are weighted by their people, since small groups are
// less precise.
// Units are half widths of the columns, as in mean_summary.h.
// Theorem  degrees of freedom: Welch (1938); those of noise: docs/explanation/two_samples.md.
// Domain   one group or more with the same columns.
// Error    double arithmetic.
// Cost     d^3.
// Checked  tests/inference/equal_means_test.cc, tests/inference/directional_means_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/inference/listed_matrix.h"
#include "tacet/inference/means/mean_summary.h"

namespace tacet::inference {

/// The covariance for draws under the null hypothesis and the one for weights
/// (covariance_for_tests), and its precision as a number of rows, less one.
struct MeanSpread {
  Matrix covariance, weighting;
  Matrix seen;            // as released, on average over the groups
  double product_noise;   // the standard deviation of the noise of an entry of it
  double rank;            // with the noise
  double rank_of_people;  // as without noise
};

MeanSpread spread_of(const std::vector<MeanSummary>& groups);

/// The noise of the mean: its own, and that of the number of people in its denominator.
Matrix noise_of_mean(const MeanSummary& group);

}  // namespace tacet::inference
