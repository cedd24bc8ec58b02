// tacet/planning/equal_means_power.h: the power of a noisy test of equal means, before anything is
// released.
//
//   MeansQuestion question{.release = blank, .covariance = {1, 1, {400}}, .mean = {110},
//                          .difference = {6}, .alpha = 0.05};
//   MeansPower power = *means_power(question, {.draws = 400});
//
// `release` is a blank release: it has the columns, the noise with all scales, two groups or more,
// and the number of people in each; no other value of it is read. All groups have the same mean
// except the last. Everything is in the units of the columns. The simulation draws the sums and
// products of normal rows with the assumed means and covariance, adds the noise of the release,
// summarises the groups (inference/means/mean_summary.h) and runs the test with its own draws.
// `limit` is the power for large n if everything but the means is known: chi-square with d (k - 1)
// degrees of freedom for k groups. Its noncentrality is the statistic of the true means: for two
// groups, difference' (W_1 + W_2)^-1 difference. It is fast to compute, and too optimistic if
// noise hides the covariance.
// Theorem  The second moments of n normal rows are S^1/2 (I + G/sqrt n) S^1/2 to first order, G
//          symmetric and normal, with variance 2 on the diagonal and 1 elsewhere. Without noise:
//          Hotelling's T^2; the noncentrality of its F distribution is n1 n2/(n1 + n2) difference'
//          S^-1 difference (Anderson 2003, 5.2). For more than two groups without noise: the limit
//          for large n.
// Domain   1 to 64 columns, a positive definite covariance, means between the bounds, variances
//          that the bounds allow; 2 to 1000 groups of at least 2 people; 10^-9 <= alpha <= 1/2,
//          and >= 1/2000 for a simulation, as for the test with its default draws. Noise of any
//          family but ed.
// Error    standard error sqrt(p(1 - p)/draws). A test has 199 draws, or 10/alpha up to 1999, in
//          place of 1999 later: the power is 0.01 too low at most. Without noise: double
//          arithmetic; beyond a noncentrality of 10^9 that of 10^9.
// Cost     a test for each draw: 0.4 ms for 2 columns, 0.6 ms for 10, 1.5 ms for 30, 5 ms for 64.
// Checked  tests/planning/equal_means_power_test.cc; against real releases:
//          tests/service/plan_two_sample_test.cc
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
  std::vector<double> mean;        // the average of the groups' means
  std::vector<double> difference;  // the last group's mean minus that of the others
  double alpha;

  std::size_t groups() const { return release.parts.size(); }
  /// The mean of the group minus `mean`, as a multiple of the difference.
  double offset(std::size_t group) const;
  void set_people(const std::vector<double>& people);  // one for each group
};

struct MeansPower {
  double power, standard_error;
  double limit;
  double inconclusive;  // the part of the simulated tests that have no p-value
};

/// InvalidArgument, naming covariance, difference, mean, n or alpha, outside the domain.
Result<MeansPower> means_power(const MeansQuestion& question, const inference::Simulation& simulation);
Result<double> means_power_limit(const MeansQuestion& question);
/// The power of Hotelling's test on the rows themselves; 0 if there are too few people for that
/// test.
Result<double> means_power_without_noise(const MeansQuestion& question);

}  // namespace tacet::planning
