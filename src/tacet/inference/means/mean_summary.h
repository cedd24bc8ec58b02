// tacet/inference/means/mean_summary.h: what a release says of the mean of one group: the figures, their noise, and how the rows vary.
//
//   MeanSummary group = *summarise_mean(release, 0);      // a release of kind covariance or second-moment
//   group.mean;  group.noise_variance();  group.covariance;
//
// Everything is in units of the half width of its column, from its middle: a column lies in [-1, 1], so that figures of years and of grams can be
// compared.
//
//   S = M - g x x',  M the noisy second moments, x the noisy mean moved into the cube, g = max(0, 1 - C/|x|^2) and C the sum of the noise variances of x
//   (the square of a noisy mean is too large by C).
//
// covariance_for_tests makes two covariances of S. The one for the null law is the widest that noise would hide: where it cannot be seen how the
// variance is spread over directions, it is taken to be in as few of them as possible, since a sum of few large squares has the longest tail.
//
//   v = trace S/d within [0.001, 1], and not below half the standard deviation of its noise, as a trace that noise made small or negative says
//   nothing; t = d v, and d 0.35 w^2 of that deviation, w the part that sampling has in the variance of the mean in its widest direction. Eigenvalues of S are
//   moved to the nearest ones >= 0 of sum t. Those of at most h = 2 sqrt(d) s/n are hidden, s the standard deviation of the noise of a product: a
//   random symmetric matrix of such entries has that length. What of t is not in the others is given to hidden ones, h to each until nothing is left;
//   and none is left below min(v, h) min(1, v/h): where v > h the noise is too small to hide much, and what it hides may be in every direction.
//   The weighting of the statistic has min(v, h) in all hidden directions: directions that noise made up mean nothing.
//
// Theorem  none for the level: it is measured (studies/means_level.cc, docs/explanation/two_samples.md). The nearest eigenvalues: mechanisms/covariance.h. That
//          concentration is the worst case: tails of sums of a_i z_i^2 far out grow as the a_i become more unequal (Diaconis & Perlman 1990).
// Domain   1 to 64 columns; at least one person (a noisy number of people below 1: Unsupported, with the reason).
// Error    double arithmetic.       Cost  d^3.       Checked  tests/inference/mean_summary_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/unit_noise.h"
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
  std::vector<double> covariance;  // of a row, row by row: S above, as noisy as it is
  double covariance_noise;         // s/n above
  double variance_noise;           // the standard deviation of the noise of a square, over n

  std::size_t dimension() const { return mean.size(); }
};

Result<MeanSummary> summarise_mean(const mechanisms::MomentRelease& release, std::size_t group);

/// S of the header, from second moments about the middle, the noisy mean and the sum of its noise variances; all in half widths.
std::vector<double> noisy_covariance(const std::vector<double>& second_moments, const std::vector<double>& mean, double mean_noise);

/// The covariances of the header, from S. `product_noise` and `square_noise`: standard deviations of its noise, typical of all and of the diagonal;
/// `mean_noise`: n times the variance of the noise of a mean, what noise adds to the variance of a row.
struct HiddenCovariance {
  std::vector<double> matrix, weighting;  // for the null law, and for the statistic
  std::size_t raised;                     // eigenvalues that noise hid
  double wobble;                          // what noise adds to 1/f, f the degrees of freedom of the part that is seen: see equal_means.h
};
HiddenCovariance covariance_for_tests(const std::vector<double>& noisy, double product_noise, double square_noise, double mean_noise);

}  // namespace tacet::inference
