// tacet/inference/mean_summary.h: what a release says of the mean of one group: the figures, their noise, and how the rows vary.
//
//   MeanSummary group = *summarise_mean(release, 0);      // a release of kind covariance or second-moment
//   group.mean;  group.noise_variance();  group.covariance;
//
// Everything is in units of the half width of its column, from its middle: a column lies in [-1, 1], so that figures of years and of grams can be
// compared. The covariance is an estimate made for tests: where noise hides an eigenvalue, it is taken for as large as the noise, and so the
// test does not trust a direction that it has not seen.
//
//   S = M - g x x',  M the noisy second moments, x the noisy mean moved into the cube, g = max(0, 1 - C/|x|^2) and C the sum of the noise variances of x
//   (the square of a noisy mean is too large by C); v = trace S/d within [0.001, 1], and not below half the standard deviation of its noise, as a
//   trace that noise made small or negative says nothing; eigenvalues of S moved to the nearest ones >= 0 of sum d v, then
//   raised to min(v, 2 sqrt(d) s/n), s the standard deviation of the noise of a product: the length of a random symmetric matrix of such entries.
//   The weighting of a test is the same with every eigenvalue of at most 2 sqrt(d) s/n, which noise may have made, put at the floor: a test
//   that would weight by directions of noise misses where the rows do vary, and its null law, which has them, would not be wide enough.
//
// Theorem  none for the level: it is measured over the grid of tests/inference/equal_means_test.cc. The nearest eigenvalues: mechanisms/covariance.h.
// Domain   1 to 64 columns; at least one person (a noisy number of people below 1: Unsupported, with the reason).
// Error    double arithmetic.       Cost  d^3.       Checked  tests/inference/mean_summary_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/unit_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// The noise of a noisy mean. KNorm: one radius for all `figures` of the release, of which the means are some.
struct MeanNoise {
  using Family = UnitNoise;
  Family family;
  std::vector<double> scale;  // of each column
  std::size_t figures;

  double variance(std::size_t column) const;
  /// One draw, added to `values`.
  void add(numeric::InsecureStream& stream, std::vector<double>& values) const;
};

struct MeanSummary {
  double people;
  double people_sd;  // of the noise in the number of people; 0: public
  std::vector<double> mean;
  MeanNoise noise;
  std::vector<double> covariance;  // of a row, row by row
  std::vector<double> weighting;   // the same with hidden directions alike
  double covariance_noise;         // s/n above
  std::size_t raised;              // eigenvalues that noise hid

  std::size_t dimension() const { return mean.size(); }
};

Result<MeanSummary> summarise_mean(const mechanisms::MomentRelease& release, std::size_t group);

/// The covariance of the header, from second moments about the middle, the noisy mean and their noise; all in half widths. `product_noise`
/// and `square_noise`: standard deviations of a noisy second moment, typical of all and of those on the diagonal.
struct HiddenCovariance {
  std::vector<double> matrix, weighting;
  std::size_t raised;
};
HiddenCovariance covariance_for_tests(const std::vector<double>& second_moments, const std::vector<double>& mean, double mean_noise,
                                      double product_noise, double square_noise);

}  // namespace tacet::inference
