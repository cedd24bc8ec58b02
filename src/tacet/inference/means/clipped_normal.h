// tacet/inference/means/clipped_normal.h: corrects the mean of normal rows for clipping to a ball.
//
//   ClippedNormal rows{.dimension = 2, .variance = 1, .radius = 3.5};
//   rows.kept(1.2);         // 0.9955: clipping shortens a mean of length 1.2 by this factor
//   rows.before(1.1946);    // 1.2
//
// Rows m + z, z normal with covariance `variance` times the identity, are shortened to length R if
// they are longer. The bias is known, so a mean of clipped rows can be corrected. clip_bias.h
// bounds the bias for other covariances.
// Theorem  E clip(v) = m E min(1, R/(s X)), X^2 noncentral chi-square (Judge & Bock 1978, Appendix
//          B, Theorem 1); docs/explanation/clipped_rows.md
// Domain   1 to 64 dimensions, variance and radius > 0, |m|^2/variance <= 10^4.
// Error    relative 10^-12 in kept, 10^-9 in the others.
// Cost     two gamma tails for each of 20 to 1500 terms of a mixture; `before` a few times that.
// Checked  tests/inference/clipped_normal_test.cc: against one dimension in closed form, and
//          against simulated clipped rows.
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

  /// The factor by which clipping shortens a mean of this length: E clip(v) = kept(|m|) m.
  double kept(double length) const;
  /// The derivative of length * kept(length).
  double slope(double length) const;
  /// The variances of a clipped row in the direction of the mean, and across it.
  struct Variances {
    double along, across;
  };
  Variances variances(double length) const;
  /// The length of m for this length of E clip(v). Empty if there is none, or if the slope is
  /// below kLeastSlope: then clipping hides the mean.
  std::optional<double> before(double clipped) const;

  static constexpr double kLeastSlope = 0.5;
};

/// The rows of a query for normal rows of this covariance, if the map makes them spherical, as
/// whitening does. Otherwise empty.
std::optional<ClippedNormal> spherical_rows(const RowClipping& clipping, const std::vector<double>& row_covariance);

/// The mean of the clipped rows for rows with this mean, in the columns' own units. Empty outside
/// the domain: a hundred standard deviations away.
std::optional<std::vector<double>> clipped_mean(const ClippedNormal& rows, const RowClipping& clipping, const std::vector<double>& mean);

/// The covariance of a clipped row for rows with this mean, row by row, in the columns' own units.
/// Empty outside the domain.
std::optional<std::vector<double>> clipped_covariance(const ClippedNormal& rows, const RowClipping& clipping,
                                                      const std::vector<double>& mean);

/// The corrected mean, in the columns' own units; matrices row by row.
struct Unclipped {
  std::vector<double> mean;
  std::vector<double> error;           // the linear map of a small error of the clipped mean
  std::vector<double> row_covariance;  // of a clipped row
  double moved;                        // the distance that clipping moved the mapped mean
};
std::optional<Unclipped> unclipped_mean(const ClippedNormal& rows, const RowClipping& clipping, const std::vector<double>& clipped);

}  // namespace tacet::inference
