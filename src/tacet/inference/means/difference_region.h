// tacet/inference/means/difference_region.h: a confidence region for the difference of two means,
// and the Mahalanobis distance between them.
//
//   const std::vector<ReleasedGroup> two = {{&release, 0}, {&release, 1}};
//   DifferenceRegion region = *difference_region(two[0], two[1], {.alpha = 0.05});
//   // {x: (x - region.center)' region.shape^-1 (x - region.center) <= region.radius^2}
//   region.distance.estimate;  region.distance.lower;
//
// Center: the first noisy mean minus the second, in the columns' units. Shape: the covariance of
// its error, from noise and sampling. Radius: a quantile over possible groups: new noise is
// subtracted from every released number, as in possible_means.h, here with whole covariances.
//
// The distance is sqrt(x' S^-1 x), where x is the difference of the population means and S the
// covariance of a row within groups, the groups weighted by their people. The plain estimate is
// too large: noise and sampling make a distance of zero differences. So the distance is found by
// inversion. For a distance t in the direction of the estimate, possible groups say how often a
// distance as large as the observed one occurs. `lower` is the t for which this is alpha/2,
// `upper` that for 1 - alpha/2, and `estimate` that for 1/2, which is as often too small as too
// large. For `upper`, a distance that is smaller than chance would make counts as one that chance
// makes. If noise hides how the rows vary in some direction, S may be singular and the distance
// may be anything: then `upper` is empty, and so may be the estimate.
// Theorem  without noise, for normal rows of equal covariances, the inversion of a noncentral F
//          distribution. With noise the coverage was measured (docs/explanation/differences.md).
// Domain   as mean_differences.h; at least d + 2 people in each group, otherwise `nothing` says
//          so.
// Error    that of the draws.
// Cost     d^3 for each draw: 1,999 draws of 10 columns about 0.1 s.
// Checked  tests/inference/difference_region_test.cc; `study run coverage_of_differences`
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_differences.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/mechanisms/matrix.h"

namespace tacet::inference {

struct MahalanobisDistance {
  std::optional<double> estimate;
  double lower = 0;
  std::optional<double> upper;        // empty: noise hides too much for a bound
  std::optional<std::string> reason;  // why estimate or upper is empty
};

struct DifferenceRegion {
  std::vector<double> center;
  mechanisms::Matrix shape;
  double radius = 0, volume = 0, log_volume = 0;
  MahalanobisDistance distance;
  std::size_t draws = 0;
  std::optional<std::string> no_answer;  // why there is no region and no distance
};

struct DifferenceRegionOptions {
  double alpha = 0.05;
  std::optional<std::size_t> draws = {};  // empty: 9,999 for 1 or 2 columns, 1,999 up to 10, or 999
  Simulation simulation = {};             // seed, threads and progress
};

Result<DifferenceRegion> difference_region(const ReleasedGroup& first, const ReleasedGroup& second, const DifferenceRegionOptions& options);

}  // namespace tacet::inference
