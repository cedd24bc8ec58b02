// tacet/inference/means/clip_bias.h: an upper bound on the bias that clipping gives to the mean of
// normal rows.
//
//   // |E clip(v) - E v| <= b
//   double b = *clip_bias({.weights = {1, 1}, .radius = 4.1, .distance = 0.3});
//
// Rows v = m + z are clipped to length R. z is normal, and `weights` are the eigenvalues of its
// covariance.
// Theorem  The bias is at most E(|z| - (R - |m|))+. docs/explanation/clipped_rows.md has the
//          proof, and the bound for an unknown |m|.
// Domain   1 to 64 weights; radius > 0; distance >= 0.
// Error    equal weights: relative 10^-9; otherwise 10^-4 (Simpson's rule, its steps doubled until
//          the result is stable). Iteration: 10^-6 of the bound.
// Cost     two tails of a weighted chi-square for equal weights, about 100 otherwise; iteration
//          takes three or four times that.
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

/// The bound if the mean of the clipped rows lies within `distance` of the ball's centre. Empty if
/// too many rows are clipped for a bound.
Result<std::optional<double>> clip_bias_from_clipped(const ClippedRows& rows);

/// The largest errors in the means of a query from a bias of length 1 in the mapped rows.
struct ClipReach {
  std::vector<double> of_mean;  // in mean j: the norm of row j of the map's inverse
  double of_form;               // in sqrt(e' W^-1 e)
};
ClipReach clip_reach(const RowClipping& clipping, const std::vector<double>& covariance);

/// The rows of a query, if they are normal with this covariance and mean.
ClippedRows clipped_rows(const RowClipping& clipping, const std::vector<double>& row_covariance, const std::vector<double>& at);

/// The largest |map e| with e' W^-1 e <= q.
double mapped_reach(const RowClipping& clipping, const std::vector<double>& covariance, double q);

}  // namespace tacet::inference
