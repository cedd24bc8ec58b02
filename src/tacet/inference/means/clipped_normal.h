// tacet/inference/means/clipped_normal.h: normal rows that were clipped to a ball: where their mean goes, and where it came from.
//
//   ClippedNormal rows{.dimension = 2, .variance = 1, .radius = 3.5};
//   rows.kept(1.2);              // 0.9955: a mean 1.2 from the middle becomes one of 1.2 * 0.9955, in the same direction
//   rows.before(1.1946)          // 1.2, and how steep the way is there
//
// Rows m + z, z normal with covariance `variance` times the identity, are shortened to length R where they are longer. The bias is known, so that a
// mean of clipped rows can be corrected rather than distrusted; clip_bias.h bounds it for other covariances.
// Theorem  E[f(|v|) v] = m E f(s X), X^2 noncentral chi-square with d + 2 degrees of freedom and noncentrality |m|^2/s^2, s^2 the variance (Judge & Bock
//          1978, Appendix B, Theorem 1); f(r) = min(1, R/r). Over a Poisson mixture of central laws E min(1, c/X_k) =
//          P[X_k <= c] + c Gamma((k-1)/2)/(sqrt 2 Gamma(k/2)) P[X_(k-1) > c], and d/dL of a mean over noncentrality L is half the difference for k + 2 and k.
//          In the same way E[f(|v|)^2 vv'] = s^2 E f(sX)^2 I + mm' E f(sY)^2, Y^2 with d + 4 degrees of freedom, gives the covariance of the clipped rows.
// Domain   1 to 64 dimensions, variance and radius > 0, |m|^2/variance <= 10^4.
// Error    relative 10^-12 in kept, 10^-9 in the others.     Cost  two gamma tails for each of 20 to 1500 terms of a mixture; `before` a few times that.
// Checked  tests/inference/clipped_normal_test.cc: against one dimension in closed form, and against rows that are clipped.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tacet/inference/means/noisy_mean.h"

namespace tacet::inference {

struct ClippedNormal {
  std::size_t dimension;
  double variance, radius;

  /// What is left of a mean of this length: E clip(v) = kept(|m|) m.
  double kept(double length) const;
  /// The derivative of length * kept(length).
  double slope(double length) const;
  /// Of a clipped row in the direction of the mean, and across it.
  struct Variances {
    double along, across;
  };
  Variances variances(double length) const;
  /// The length whose clipped one is this. Nothing where the slope is below kLeastSlope, or none is: then clipping hides where the mean was.
  std::optional<double> before(double clipped) const;

  static constexpr double kLeastSlope = 0.5;
};

/// The rows of a query for normal rows of this covariance, if the map makes them spherical, as whitening does. Nothing otherwise.
std::optional<ClippedNormal> spherical_rows(const RowClipping& clipping, const std::vector<double>& row_covariance);

/// The mean of the clipped rows, where that of the rows is `mean`, in the columns' own units. Nothing outside the domain: a hundred deviations away.
std::optional<std::vector<double>> clipped_mean(const ClippedNormal& rows, const RowClipping& clipping, const std::vector<double>& mean);

/// The way back, in the columns' own units; matrices row by row.
struct Unclipped {
  std::vector<double> mean;
  std::vector<double> error;           // what a small error of the clipped mean becomes
  std::vector<double> row_covariance;  // of a clipped row
  double moved;                        // how far clipping had moved the mean of the mapped rows
};
std::optional<Unclipped> unclipped_mean(const ClippedNormal& rows, const RowClipping& clipping, const std::vector<double>& clipped);

}  // namespace tacet::inference
