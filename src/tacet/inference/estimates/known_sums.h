// tacet/inference/estimates/known_sums.h: a noisy table with public sums, such as the margins of a
// census.
//
//   const KnownSum women{.cells = {0, 1}, .weights = {1, 1}, .sum = 902};
//   KeptSums kept = *keep_known_sums(release.values, release.noise, release.n, {women});
//   kept.values;             // the nearest table with these sums
//   kept.noise_share[0];     // the part of the noise variance that is left in a cell
//
// This is rank-deficient noise for any public linear constraints, made from a release as it is: the
// public sums show a part of the noise, which is taken away. It is post-processing, so the privacy
// is that of the release.
// Theorem  Let A have a line for each sum, B be its pseudo-inverse and P = I - B A. The result is y
//          - B (A y - sums): the truth plus P times the noise, so that independent noise of
//          variance s^2 leaves the covariance s^2 P and the expected squared error s^2 (p - rank A).
//          With the total alone it is Lee, Theorem 2 and Example 1; in general the covariance is
//          s^2 U U' as there, U an orthonormal basis of what the sums leave free. Noise that keeps
//          the total is projected further, as 1 is a line of A then.
// Domain   1 to 200 sums; finite weights, at least one of them not 0; the product of cells and sums
//          at most 2 10^7. InvalidArgument if no table has these sums.
// Error    relative 10^-9 of the largest value.
// Cost     cells times sums squared.
// Checked  tests/inference/known_sums_test.cc: against the projection by its normal equations, the
//          rank-deficient mechanism, and simulated noise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

/// The sum of weights[i] times the cell cells[i] is public.
struct KnownSum {
  std::vector<std::size_t> cells;
  std::vector<double> weights;
  double sum;
};

struct KeptSums {
  std::vector<double> values;
  std::vector<double> noise_share;  // of each cell: 1 where no sum says anything, 0 where it is known
  std::size_t rank;                 // of the sums together, the total with them
};

/// A public total is one of the sums, whether it is given or not.
Result<KeptSums> keep_known_sums(std::span<const double> values, const mechanisms::NoiseDistribution& noise, std::optional<double> total,
                                 std::vector<KnownSum> sums);

}  // namespace tacet::inference
