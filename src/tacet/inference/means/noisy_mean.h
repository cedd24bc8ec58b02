// tacet/inference/means/noisy_mean.h: the means of a release: an estimate, and the exact
// distribution of its noise.
//
//   MomentRelease lipids = *read_release_as<MomentRelease>("lipids.json");
//   NoisyMean m = *noisy_mean(lipids, /*group=*/0);
//   m.estimate;                      // the noisy means
//   noise_covariance(m);             // the covariance from noise alone
//
// The estimate is the mean plus `mix` times unit noise of the family (unit_noise.h). So inference
// about means is the same for releases of sums, means, second moments, covariances and queries,
// for everybody or for one group. If the number of people is noisy too, the mean is a ratio with
// the linearised error (e_j - (mean_j - centre_j) e_0)/n.
// Theorem  S + e - m (n + e_0) = e - m e_0 at the true mean m, so the error of the ratio is
//          exactly (e - m e_0)/(n + e_0) (Fieller 1954). It is taken at the estimate. The count
//          must be at least kLeastCountOverNoise times its noise; otherwise `nothing` says so.
// Domain   as moment_release.h and query_release.h.
// Error    for a public number of people only the rounding of noise to a thousandth of its scale;
//          otherwise of second order in e_0/n.
// Cost     d^2; a query d^3.
// Checked  tests/inference/noisy_mean_test.cc
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
  double people;                    // that the estimate counts, or rows
  mechanisms::Counted counted;      // which of the two
  std::optional<double> people_sd;  // of the noise in it; empty: it is public
  UnitNoise family;
  std::size_t draw_size;                                    // numbers that share a draw of K-norm noise
  std::size_t units;                                        // of unit noise in the estimate
  std::vector<double> mix;                                  // a row of `units` for each mean
  std::vector<double> reaches;                              // widths of ranges; empty: unknown
  std::vector<double> direction;                            // of a query for one direction
  std::optional<std::vector<double>> row_covariance;        // public, used by the release
  std::optional<RowClipping> clipping;                      // queries
  std::optional<mechanisms::MomentRelease> second_moments;  // of this group, if released
  std::optional<std::string> no_answer;                     // why there is no mean

  std::size_t dimension() const { return estimate.size(); }
};

/// The least ratio of a noisy number of people to the standard deviation of its noise.
inline constexpr double kLeastCountOverNoise = 10;

Result<NoisyMean> noisy_mean(const mechanisms::MomentRelease& release, std::size_t group);
Result<NoisyMean> noisy_mean(const mechanisms::QueryRelease& release, std::size_t group = 0);
/// The first group without its second moments, for simulations.
NoisyMean noisy_mean_alone(const mechanisms::MomentRelease& release);

/// "ldl - 2 hdl".
std::string combination_name(const std::vector<std::string>& columns, const std::vector<double>& direction);

/// d x d, row by row.
std::vector<double> noise_covariance(const NoisyMean& mean);

/// The covariance of a row, from noisy second moments; docs/explanation/hidden_covariance.md has
/// the steps and the reasons.
/// Domain   a release with products that are not "ed".
/// Cost     d^3.
std::vector<double> private_row_covariance(const mechanisms::MomentRelease& release, const NoisyMean& mean);

}  // namespace tacet::inference
