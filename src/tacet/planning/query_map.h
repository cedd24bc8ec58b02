// tacet/planning/query_map.h: the public map and the clipping length of a query for means.
//
//   const ClipChoice one_in_n{.n = 20000};
//   QueryMap q = *whitened_map({2, 2, {400, 100, 100, 225}}, one_in_n);
//   q.map;  q.radius;       // v = map (x - centre), clipped to this length
//
// `release query` publishes with these maps, and plans suppose them.
//
//   whitened       S^-1/2: the smallest region (Adjusted, section 3)
//   scaled         columns times the best factors of clip.h, from standard deviations
//   least-squares  principal axes times the best factors of clip.h, from a covariance
//   weighted       columns times weights of one's own; isotropic is weights of 1
//   test           the one combination of combination.h
//
// Clipping is at the length that a share gamma of normal rows around the centre exceeds (1/n if
// nothing is given), or at a given radius. Mapped rows have the root mean square length sqrt(d) if
// whitened, 1 if scaled or least-squares; for one combination lengths are standard deviations.
// Domain, Error, Cost   as clip.h and combination.h; weights from 1e-30 to 1e30.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"

namespace tacet::planning {

struct QueryMap {
  mechanisms::Matrix map;  // a line for each coordinate
  double radius;
};

struct ClipChoice {
  std::optional<std::int64_t> n = {};  // about how many people; needed without gamma and radius
  std::optional<double> gamma = {};    // the share of rows to clip
  std::optional<double> radius = {};   // in place of gamma
};

Result<QueryMap> whitened_map(const mechanisms::Matrix& covariance, const ClipChoice& clip);
Result<QueryMap> scaled_map(const std::vector<double>& sd, const ClipChoice& clip);
Result<QueryMap> least_squares_map(const mechanisms::Matrix& covariance, const ClipChoice& clip);
/// The covariance is for the clipping length, and not needed with a radius.
Result<QueryMap> weighted_map(const std::vector<double>& weights, const std::optional<mechanisms::Matrix>& covariance,
                              const ClipChoice& clip);
/// One line. With mu the radius has the most power for normal rows; otherwise clipping is rare.
Result<QueryMap> test_map(const mechanisms::Matrix& covariance, const std::vector<double>& eta, const ClipChoice& clip,
                          const std::optional<double>& mu);

/// A matrix with these on its diagonal.
mechanisms::Matrix diagonal(const std::vector<double>& values);

/// The share of normal rows with this covariance and the mean at the centre that a query clips.
Result<double> clipped_share(const QueryMap& query, const mechanisms::Matrix& covariance);

}  // namespace tacet::planning
