// tacet/inference/means/mean_region.h: a confidence region for means: an ellipsoid, and an
// interval for each mean.
//
//   MeanRegion r = *mean_region(
//       mean, {.confidence = 0.95, .distribution = {.target = MeanTarget::Population}});
//   // {m: (m - r.center)' r.shape^-1 (m - r.center) <= r.radius^2} contains the true mean with
//   // probability 0.95.
//
// The shape is the covariance of the estimate's error (mean_distribution.h), and the radius is a
// quantile. Intervals are marginal (each holds with this confidence) or simultaneous (all hold
// together with it).
// If the rows of a query were clipped, and the target is the population, rows are assumed to be
// normal. If the query whitened the rows, the estimate is corrected (clipped_normal.h). Otherwise
// radius and intervals are widened by the largest bias of clipping (clip_bias.h); this uses a
// thousandth of 1 - confidence, because the bias depends on the unknown mean.
// Theorem  Adjusted, section 2.1 and 3.1; volume V_d radius^d sqrt(det shape), V_d =
//          pi^(d/2)/Gamma(d/2 + 1).
// Domain   0.5 <= confidence <= 1 - 1e-9 (draws: as monte_carlo.h); 1 to 64 means. If there is no
//          region, `nothing` says why.
// Error    as mean_distribution.h.
// Cost     as mean_distribution.h.
// Checked  tests/inference/mean_region_test.cc, mean_coverage_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/inference/means/noisy_mean.h"
#include "tacet/mechanisms/matrix.h"

namespace tacet::inference {

/// The part of 1 - confidence for the bound on the bias of clipping.
inline constexpr double kClippingShare = 1e-3;

struct MeanRegionOptions {
  double confidence = 0.95;
  MeanDistributionOptions distribution = {};
};

/// How the answer accounts for the clipping of rows.
enum class ClippingIn : std::uint8_t { Nothing, Bounded, Corrected };

struct Intervals {
  std::vector<double> lower, upper;
};

struct MeanRegion {
  std::vector<double> center;
  mechanisms::Matrix shape;
  double radius, volume, log_volume;
  Intervals marginal, simultaneous;
  MeanMethod method;
  std::optional<std::size_t> draws;               // empty: nothing was simulated
  std::optional<std::size_t> simultaneous_draws;  // only for the simultaneous intervals
  std::string distribution;                       // of the error, in words
  bool private_covariance;
  ClippingIn clipping;
  /// The distance by which clipping moved the mean of the mapped rows: a bound (Bounded), or an
  /// estimate (Corrected).
  std::optional<double> clip_bias;
  std::vector<std::string> includes, leaves_out;
  std::optional<std::string> no_answer;  // why there is no region
};

Result<MeanRegion> mean_region(const NoisyMean& mean, const MeanRegionOptions& options);
/// The same with an existing distribution, of the same options.
Result<MeanRegion> mean_region(const NoisyMean& mean, const MeanDistribution& distribution, const MeanRegionOptions& options);

/// The sources of error that an answer about means includes, and those that it leaves out.
void say_what_is_included(const NoisyMean& mean, const MeanDistributionOptions& options, ClippingIn clipping,
                          std::vector<std::string>& includes, std::vector<std::string>& leaves_out);

/// The outline of the region's projection onto coordinates i and j: `points` points in order, the
/// first repeated at the end.
/// Theorem  The projection is the ellipse of the rows and columns i and j of the shape, with the
///          same radius.
std::vector<std::pair<double, double>> outline(const MeanRegion& region, std::size_t i, std::size_t j, std::size_t points);

/// log of the volume of {x: x' shape^-1 x <= radius^2}.
double log_ellipsoid_volume(const std::vector<double>& shape, std::size_t dimension, double radius);

}  // namespace tacet::inference
