// tacet/inference/means/row_variance.h: the variance of a row from noisy sums, and errors by
// sampling from rows with such a variance; internal to this room.
//
//   const RowNoise noise{.square = 90, .sum = 4, .people = 1};
//   noise.variance(/*n=*/400, /*offset=*/0.5, /*second=*/1.2);   // of second - offset^2, by noise
//   numeric::InsecureStream stream(/*seed=*/7, /*index=*/0);
//   double error = draw_sampling_error(stream, {.row = 1, .below = 0, .most = 9}, 400, 399);
//
// Both serve possible_means.h and possible_combination.h.
// Error    the first order of the noise.
// Checked  tests/inference/mean_differences_test.cc, tests/inference/t_test_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// The variances of the noise in a sum of squares, in a sum and in the number of people.
struct RowNoise {
  double square, sum, people;

  /// Of the noise in the variance second - offset^2 of a row, where offset is the sum over n and
  /// second the sum of squares over n.
  double variance(double n, double offset, double second) const;
};

/// A variance of a row that is possible under the noise, at most `most`. If noise made the released
/// one negative, nothing shows how small it is: adding `below`, by how much it is negative, leaves
/// the noise of a variance of 0.
struct PossibleRow {
  double row, below, most;
};
/// An error by sampling of the mean of n people; `freedom` is that of the released variance.
double draw_sampling_error(numeric::InsecureStream& stream, const PossibleRow& possible, double n, double freedom);

}  // namespace tacet::inference
