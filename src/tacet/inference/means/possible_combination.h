// tacet/inference/means/possible_combination.h: means that one combination of columns may have in
// a group, given its release.
//
//   MomentRelease release = *read_release_as<MomentRelease>("by_smoking.json");
//   PossibleCombination never(release, /*group=*/0, {1, -2});   // the first less twice the second
//   never.estimate();
//   PossibleError error = never.draw(stream);   // a possible mean is the estimate plus errors
//
// Draws are made as in possible_means.h: new noise is subtracted from the released numbers, and for
// the population a sampling error is added. The combination w'x has the sum w's of the released
// sums s and the sum of squares w'Pw of the released products P, each number with its own noise.
// Its standard deviation is at most the sum of |w_j| times those of the columns, which bounds it
// where products have more noise than squares: each variance of a column is taken three standard
// deviations of its noise larger than it was released.
// Theorem  as possible_means.h.
// Domain   a weight for each of 1 to 64 columns, not all 0.
// Error    that of the draws.
// Cost     a draw about 10 ns for each product of two columns whose weights are not 0.
// Checked  tests/inference/t_test_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// A possible mean less the estimated one, in two parts: noise, and sampling.
struct PossibleError {
  double noise, sampling;  // sampling: 0 without second moments
};

class PossibleCombination {
 public:
  /// mechanisms::why_no_answer must say nothing about the group. `raise` is added to the variance
  /// of a row: what weights that were computed from noisy products took from it.
  PossibleCombination(const mechanisms::MomentRelease& release, std::size_t group, const std::vector<double>& weights, double raise = 0);

  double people() const { return people_.value; }
  double estimate() const { return estimate_; }
  /// Of the error of the estimate, to first order: from noise, and from noise and sampling.
  double file_variance() const { return noise_; }
  double population_variance() const { return noise_ + row_ / people_.value; }
  /// The variance of the estimate of population_variance(), for degrees of freedom.
  double variance_of_variance() const { return row_error_ / (people_.value * people_.value); }

  /// Not const: it has buffers, so every thread needs its own.
  PossibleError draw(numeric::InsecureStream& stream);

 private:
  void add_squares(const mechanisms::MomentRelease& release, const mechanisms::GroupMoments& part, const std::vector<double>& weights,
                   double raise, double sum_variance, double count_variance);

  mechanisms::MomentMechanism mechanism_;
  std::size_t shared_;  // values of one draw of K-norm noise
  mechanisms::NoisyNumber people_;
  double freedom_;                       // n - 1
  std::vector<double> sums_, products_;  // scales of the noise of each number, times its weight
  double sum_ = 0, square_ = 0;          // of the combination
  double estimate_ = 0, noise_ = 0;
  double most_ = 0;                 // no variance of a row is larger
  double row_ = 0, row_error_ = 0;  // the variance of a row, and the variance of its estimate
  double below_ = 0;                // by how much noise made the variance of a row negative
  std::vector<double> unit_;
};

}  // namespace tacet::inference
