// tacet/inference/means/clip_bias.h: how far clipping moves the mean of normal rows, at most.
//
//   double b = *clip_bias({.weights = {1, 1}, .radius = 4.1, .distance = 0.3});        // |E clip(v) - E v| <= b
//
// Rows v = m + z, z normal with a covariance of the eigenvalues `weights`, are clipped to length R.
// Theorem  clipping moves v by (|v| - R)+, and |v| <= |m| + |z|, so the mean moves by at most E(|z| - (R - |m|))+ = integral of P[|z| > r] over r > R - |m|.
//          |z|^2 is a sum of weighted chi-square variables. Where |m| is not known, but the mean of the clipped rows is known to be of length at
//          most s, |m| <= s + bound(|m|); bound has a slope below 1, so iteration from s gives the largest |m| that is possible.
// Domain   1 to 64 weights; radius > 0; distance >= 0.
// Error    equal weights: relative 10^-9; otherwise 10^-4 (Simpson's rule, its steps doubled until it settles). Iteration: 10^-6 of the bound.
// Cost     two tails of a weighted chi-square law for equal weights, about 100 otherwise; iteration takes three or four of these.
// Checked  tests/inference/clip_bias_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/inference/means/noisy_mean.h"

namespace tacet::inference {

struct ClippedRows {
  std::vector<double> weights;
  double radius;
  double distance;  // |m|
};

Result<double> clip_bias(const ClippedRows& rows);

/// The bound where the mean of the clipped rows lies within `distance` of the ball's middle. Nothing if no bound follows: rows are clipped too much.
Result<std::optional<double>> clip_bias_from_clipped(const ClippedRows& rows);

/// What clipping may add to the errors of a query's means: the lengths that a bias of length 1 in the mapped rows can have.
struct ClipReach {
  std::vector<double> of_mean;  // in mean j: the norm of row j of the map's inverse
  double of_form;               // in sqrt(e' W^-1 e)
};
ClipReach clip_reach(const RowClipping& clipping, const std::vector<double>& covariance);

/// The rows of a query, if they are normal with `sampling` n: clipped where it says, with a mean of `at`.
ClippedRows clipped_rows(const RowClipping& clipping, const std::vector<double>& row_covariance, const std::vector<double>& at);

/// The most that |map e| can be where e' W^-1 e <= q.
double mapped_reach(const RowClipping& clipping, const std::vector<double>& covariance, double q);

}  // namespace tacet::inference
