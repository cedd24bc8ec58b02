// tacet/planning/combination.h: the power of a test by one clipped combination of the columns.
//
//   // eta is the difference of the two means, S the covariance of a row.
//   const Combination rows{.distance = 0.576, .mu = 0.6065, .n = 50};   // sqrt(eta' S^-1 eta)
//   combination_power(rows, rare_radius(50), 0.05);      // 0.861: one normal row in n is clipped
//   combination_power(rows, best_radius(rows), 0.05);    // 0.948: the most power of normal rows
//
// The query is the mean of t = a'(x - c), a = S^-1 eta / distance, clipped to [-R, R]. c lies in
// the middle between the two means. So t has variance 1, and the mean -distance/2 under the null
// hypothesis and distance/2 under the alternative. Noise has the standard deviation 2R/(mu n).
//
// Theorem  The power is Phi(g - z), g the difference of the two clipped means over the standard
//          deviation of the noisy mean, which is the same under both hypotheses. g grows with
//          a'eta/sqrt(a'Sa), so this a is the best direction for every R; best_radius maximises g.
//          The clipped t is the clipped log-likelihood ratio of a row.
//          docs/explanation/one_combination.md has the proof, and compares other centres and all
//          bounded statistics of a row: in the example above they gain less than 0.002.
// Domain   distance > 0; 10^-6 <= mu <= 10^6; 2 <= n <= 10^15; radius > 0. A distance beyond 190
//          counts as 190.
// Error    that of a normal approximation to the mean of n clipped rows; radius: relative 10^-6.
// Cost     a power 10 microseconds, a radius 100 powers.
// Checked  tests/planning/combination_test.cc: against other directions, centres and radii, and
//          against simulated releases.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/mechanisms/matrix.h"

namespace tacet::planning {

struct Combination {
  double distance, mu, n;
};

/// The radius that one standard normal variable in n exceeds.
double rare_radius(double n);
/// The radius with the most power, at any level.
double best_radius(const Combination& rows);

double combination_power(const Combination& rows, double radius, double alpha);

/// S^-1 eta / distance: the weights of the columns, for which the combination has variance 1.
struct BestDirection {
  std::vector<double> weights;
  double distance;
};
/// Domain   a covariance that inference::check_covariance accepts, and an eta that is not 0.
BestDirection best_direction(const mechanisms::Matrix& covariance, const std::vector<double>& eta);

}  // namespace tacet::planning
