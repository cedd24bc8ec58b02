// tacet/inference/means/noisy_mean.h: what a release says about a vector of means: an estimate, and the exact law of its noise.
//
//   NoisyMean m = *noisy_mean(*mechanisms::read_moment_release("lipids.json"), /*group=*/0);
//   m.estimate;                      // the noisy means
//   noise_covariance(m);             // what noise alone does to them
//
// The estimate is the mean plus mix times unit noise of the family (unit_noise.h). So releases of sums, means, second moments and covariances, for everybody or for one
// group, and of queries, are one thing to whoever infers something about means. Where the number of people is noisy too, the mean is a
// ratio, and its error is linearised: (e_j - (mean_j - centre_j) e_0)/n.
// Theorem  S + e - m (n + e_0) = e - m e_0 at the true mean m, so that the ratio's error is (e - m e_0)/(n + e_0) exactly (Fieller 1954); it is
//          taken at the estimate, and the count must be kLeastCountOverNoise times its noise: otherwise `nothing` says so.
// Domain   as moment_release.h and query_release.h.
// Error    none for a public number of people, but for the rounding of noise to a thousandth of its scale; otherwise of second order in e_0/n.
// Cost     d^2; a query d^3.                    Checked  tests/inference/noisy_mean_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/unit_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/mechanisms/query_release.h"

namespace tacet::inference {

/// Rows v = map (x - centre) were clipped to this length.
struct RowClipping {
  double radius;
  std::vector<double> map;  // square, row by row
  std::vector<double> centre;
};

struct NoisyMean {
  std::vector<std::string> names;
  std::vector<double> estimate;
  double people;     // as many as the estimate counts
  double people_sd;  // of the noise in it; 0: public
  UnitNoise family;
  std::size_t figures;                                      // that share one draw of K-norm noise
  std::size_t units;                                        // of unit noise in the estimate
  std::vector<double> mix;                                  // a line of `units` for each mean
  std::vector<double> reaches;                              // how far apart two values of a column can lie; empty: unknown (queries)
  std::vector<double> direction;                            // of a query for one combination of columns; empty otherwise
  std::optional<std::vector<double>> row_covariance;        // of a row, if the release was made for one that is public
  std::optional<RowClipping> clipping;                      // queries
  std::optional<mechanisms::MomentRelease> second_moments;  // the group alone, where its release has them
  std::optional<std::string> nothing;                       // why nothing can be said about the mean

  std::size_t dimension() const { return estimate.size(); }
};

/// A noisy number of people must be this many times its own noise.
inline constexpr double kLeastCountOverNoise = 10;

Result<NoisyMean> noisy_mean(const mechanisms::MomentRelease& release, std::size_t group);
Result<NoisyMean> noisy_mean(const mechanisms::QueryRelease& release);
/// The same of the first group without its second moments, for whoever draws many.
NoisyMean noisy_mean_alone(const mechanisms::MomentRelease& release);

/// d x d, row by row.
std::vector<double> noise_covariance(const NoisyMean& mean);

/// The covariance of a row, from noisy second moments: less the square of the mean (whose noise is taken off again), in units in which the
/// noise of all squares is alike, eigenvalues moved to the nearest ones >= 0 of the same sum (of at least one deviation of its noise). Those within the
/// spectrum that noise alone would have, up to 2 sqrt(d) deviations of a product, are raised to their mean, and to a tenth of a deviation: a direction in which
/// noise hides how the rows vary is taken for a usual one. None exceeds the sum of a quarter of the
/// squared ranges, which no trace does.
/// Domain   a release with products that are not "ed". Cost  d^3.
std::vector<double> private_row_covariance(const mechanisms::MomentRelease& release, const NoisyMean& mean);

}  // namespace tacet::inference
