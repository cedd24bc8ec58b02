// tacet/planning/equal_means_power.h: how often a noisy test of equal means will find a difference, before anything is released.
//
//   MeansQuestion question{.release = blank, .covariance = s, .mean = m, .difference = d, .alpha = 0.05};
//   MeansPower power = *means_power(question, {.draws = 400});
//
// `release` is what will be published, still blank: its columns, its noise with all scales, two groups or more, and how many people are in each; no
// other value of it is read. All groups have the same mean but the last, which differs. The whole is simulated: figures of normal rows with the supposed means and covariance, noise of every figure as the
// release has it, the groups as inference/means/mean_summary.h reads them from the release, and the test with draws of its own. Everything is in the units of
// the columns. `limit` is the law for large n with everything but the means known: chi-square with d (k - 1) degrees of freedom for k groups,
// noncentral by the statistic of the true means, for two groups difference' (W_1 + W_2)^-1 difference; it is quick, and too hopeful where noise hides the covariance.
// Theorem  second moments of n normal rows: S^1/2 (I + G/sqrt n) S^1/2 to first order, G symmetric and normal, variance 1 beside and 2 on the diagonal.
//          Without noise: Hotelling's T^2, n1 n2/(n1 + n2) difference' S^-1 difference being the noncentrality of an F law (Anderson 2003, 5.2);
//          for more than two groups the law for large n, without noise.
// Domain   1 to 64 columns, a positive definite covariance, means between the bounds, no variance that these forbid; 2 to 1000 groups of at least
//          2 people; 10^-9 <= alpha <= 1/2, and for a simulation >= 1/2000, as the test with its usual draws. Noise of any family but ed.
// Error    standard error sqrt(p(1 - p)/draws); a test has 199 draws, or 10/alpha to 1999, against 1999 later: 0.01 too low at most. Without
//          noise: double arithmetic; beyond a noncentrality of 10^9 that of 10^9.
// Cost     a test for each draw: 0.4 ms for 2 columns, 0.6 ms for 10, 1.5 ms for 30, 5 ms for 64.
// Checked  tests/planning/equal_means_power_test.cc; against releases that were made: tests/service/plan_two_sample_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/moment_release.h"

namespace tacet::planning {

struct MeansQuestion {
  mechanisms::MomentRelease release;
  mechanisms::Matrix covariance;   // of a row
  std::vector<double> mean;        // of the means of the groups: for two, halfway between them
  std::vector<double> difference;  // of the last group from the others
  double alpha;

  std::size_t groups() const { return release.parts.size(); }
  /// Of group g from `mean`, in parts of the difference.
  double offset(std::size_t group) const;
  void set_people(const std::vector<double>& people);  // one for each group
};

struct MeansPower {
  double power, standard_error;
  double limit;
};

/// InvalidArgument, naming covariance, difference, mean, n or alpha, outside the domain.
Result<MeansPower> means_power(const MeansQuestion& question, const inference::Simulation& simulation);
Result<double> means_power_limit(const MeansQuestion& question);
/// The power of Hotelling's test on the rows themselves; 0 for too few people, who have no such test.
Result<double> means_power_without_noise(const MeansQuestion& question);

}  // namespace tacet::planning
