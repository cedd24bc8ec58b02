// tacet/inference/means/mean_region.h: a confidence region for means: an ellipsoid, and intervals for each of them.
//
//   MeanRegion r = *mean_region(mean, {.confidence = 0.95, .distribution = {.target = MeanTarget::Population}});
//   // {m: (m - r.center)' r.shape^-1 (m - r.center) <= r.radius^2} holds the true mean with probability 0.95
//
// The shape is the covariance of the estimate's error (mean_distribution.h), the radius the quantile of its law. Intervals are marginal (each one holds
// with this confidence) or simultaneous (all together). Where a query's rows were clipped, and normal rows are supposed (population), the
// estimate is corrected by what clipping did to it, if the query whitened the rows (clipped_normal.h); otherwise radius and intervals are widened
// by the most that clipping can have moved their mean (clip_bias.h), and a thousandth of 1 - confidence pays for not knowing where that mean is.
// Theorem  Adjusted, section 2.1 and 3.1; volume V_d radius^d sqrt(det shape), V_d = pi^(d/2)/Gamma(d/2 + 1).
// Domain   0.5 <= confidence <= 1 - 1e-9 (draws: as monte_carlo.h); 1 to 64 means. Where nothing can be said, `nothing` tells why.
// Error    as mean_distribution.h.          Cost  as mean_distribution.h.
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

/// The part of 1 - confidence that pays for bounding the bias of clipping.
inline constexpr double kClippingShare = 1e-3;

struct MeanRegionOptions {
  double confidence = 0.95;
  MeanDistributionOptions distribution = {};
};

/// How an answer takes into account that rows were clipped.
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
  std::size_t draws;
  std::size_t simultaneous_draws;  // behind the simultaneous intervals alone
  std::string distribution;        // of the error, in words
  bool private_covariance;
  ClippingIn clipping;
  std::optional<double> clip_bias;  // how far clipping moved the mean of the mapped rows: at most (Bounded), or as it is (Corrected)
  std::vector<std::string> includes, leaves_out;
  std::optional<std::string> nothing;  // why there is no region
};

Result<MeanRegion> mean_region(const NoisyMean& mean, const MeanRegionOptions& options);
/// The same with a distribution that is there already, of the same options.
Result<MeanRegion> mean_region(const NoisyMean& mean, const MeanDistribution& distribution, const MeanRegionOptions& options);

/// What an answer about means takes into account, and what it does not.
void say_what_is_included(const NoisyMean& mean, const MeanDistributionOptions& options, ClippingIn clipping,
                          std::vector<std::string>& includes, std::vector<std::string>& leaves_out);

/// The outline of the region's projection onto coordinates i and j, as `points` points in order, the first repeated at the end.
/// Theorem  the projection is the ellipse of the rows and columns i and j of the shape, with the same radius.
std::vector<std::pair<double, double>> outline(const MeanRegion& region, std::size_t i, std::size_t j, std::size_t points);

/// log of the volume of {x: x' shape^-1 x <= radius^2}.
double log_ellipsoid_volume(const std::vector<double>& shape, std::size_t dimension, double radius);

}  // namespace tacet::inference
