// tacet/planning/two_sample_power.h: how often a noisy two-sample test will find a difference of means, before anything is released.
//
//   TwoSampleQuestion question{.release = blank, .covariance = s, .mean = m, .difference = d, .alpha = 0.05};
//   TwoSamplePower power = *two_sample_power(question, {.draws = 400});
//
// `release` is what will be published, still blank: its columns, its noise with all scales, two groups, and how many people are in each; no other
// value of it is read. The whole is simulated: figures of normal rows with the supposed means and covariance, noise of every figure as the
// release has it, the groups as inference/mean_summary.h reads them from the release, and the test with draws of its own. Everything is in the units of
// the columns. `limit` is the law for large n with everything but the means known: chi-square with d degrees of freedom, noncentral by
// difference' (W_1 + W_2)^-1 difference; it is quick, and too hopeful where noise hides the covariance.
// Theorem  second moments of n normal rows: S^1/2 (I + G/sqrt n) S^1/2 to first order, G symmetric and normal, variance 1 beside and 2 on the diagonal.
//          Without noise: Hotelling's T^2, n1 n2/(n1 + n2) difference' S^-1 difference being the noncentrality of an F law (Anderson 2003, 5.2).
// Domain   1 to 64 columns, a positive definite covariance, means between the bounds, no variance that these forbid; at least 2 people in each
//          group; 10^-9 <= alpha <= 1/2, and for a simulation >= 1/2000, as the test with its usual draws. Noise of any family but ed.
// Error    standard error sqrt(p(1 - p)/draws); a test has 199 draws, or 10/alpha to 1999, against 1999 later: 0.01 too low at most. Without
//          noise: double arithmetic; beyond a noncentrality of 10^9 that of 10^9.
// Cost     a test for each draw: 0.4 ms for 2 columns, 0.6 ms for 10, 1.5 ms for 30, 5 ms for 64.
// Checked  tests/planning/two_sample_power_test.cc; against releases that were made: tests/service/plan_two_sample_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/mechanisms/moment_release.h"

namespace tacet::planning {

struct TwoSampleQuestion {
  mechanisms::MomentRelease release;
  std::vector<double> covariance;  // of a row, row by row
  std::vector<double> mean;        // halfway between the means of the groups
  std::vector<double> difference;  // of the second group from the first
  double alpha;

  void set_people(double first, double second);
};

struct TwoSamplePower {
  double power, standard_error;
  double limit;
};

/// InvalidArgument, naming covariance, difference, mean, n or alpha, outside the domain.
Result<TwoSamplePower> two_sample_power(const TwoSampleQuestion& question, const inference::Simulation& simulation);
Result<double> two_sample_limit(const TwoSampleQuestion& question);
/// The power of Hotelling's test on the rows themselves; 0 for d + 1 people or fewer, who have no such test.
Result<double> two_sample_without_noise(const TwoSampleQuestion& question);

}  // namespace tacet::planning
