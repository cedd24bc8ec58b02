// tacet/inference/means/mean_summary.h: the mean of one group of a release, its noise, and the
// covariance of its rows.
//
//   MeanSummary group = *summarise_mean(release, 0);   // of kind covariance or second-moment
//   group.mean;  group.noise.variance(0);  group.covariance;
//
// Units are the half widths of the columns, from their middles: every column lies in [-1, 1], so
// that years and grams can be compared.
// The noisy covariance of a row is S = M - g x x'. M are the noisy second moments, and x is the
// noisy mean moved into the cube. g = max(0, 1 - C/|x|^2), where C is the sum of the noise
// variances of x: the square of a noisy mean is too large by C.
// covariance_for_tests makes two covariances from S: one for the null distribution, the widest
// that noise would hide, and one for the weights of the statistic
// (docs/explanation/hidden_covariance.md).
// Theorem  none for the level: it was measured (`study run levels_of_equal_means`,
//          docs/explanation/two_samples.md).
// Domain   1 to 64 columns; at least one person (a noisy number of people below 1: Unsupported,
//          with the reason).
// Error    double arithmetic.
// Cost     d^3.
// Checked  tests/inference/mean_summary_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/unit_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// The noise of a noisy mean. KNorm: one radius for all `draw_size` values of the release, which
/// include the means.
struct MeanNoise {
  using Family = UnitNoise;
  Family family;
  std::vector<double> scale;  // of each column
  std::size_t draw_size;

  double variance(std::size_t column) const;
  /// One draw, added to `values`.
  void add(numeric::InsecureStream& stream, std::vector<double>& values) const;
};

struct MeanSummary {
  double people;
  std::optional<double> people_sd;  // of the noise in the number of people; empty: it is public
  std::vector<double> mean;
  MeanNoise noise;
  std::vector<double> covariance;  // S above, row by row
  double covariance_noise;         // the standard deviation of the noise of a product, over n
  double variance_noise;           // the standard deviation of the noise of a square, over n
  /// The second moments are by "ed": their error is not that of independent entries.
  bool drawn_directions = false;

  std::size_t dimension() const { return mean.size(); }
};

Result<MeanSummary> summarise_mean(const mechanisms::MomentRelease& release, std::size_t group);

/// S of the header, from second moments about the middle, the noisy mean and the sum of its noise
/// variances; all in half widths.
std::vector<double> noisy_covariance(const std::vector<double>& second_moments, const std::vector<double>& mean, double mean_noise);

/// The covariances of the header, from S. `product_noise` and `square_noise` are standard
/// deviations of its noise, typical of all entries and of the diagonal. `mean_noise` is n times
/// the variance of the noise of a mean: the part that noise adds to the variance of a row.
struct HiddenCovariance {
  std::vector<double> matrix, weighting;  // for the null distribution, and for the statistic
  std::size_t raised;                     // eigenvalues that noise hid
  /// The part of 1/f that comes from noise, f the degrees of freedom of the visible part
  /// (docs/explanation/two_samples.md).
  double wobble;
};
HiddenCovariance covariance_for_tests(const std::vector<double>& noisy, double product_noise, double square_noise, double mean_noise);

}  // namespace tacet::inference
