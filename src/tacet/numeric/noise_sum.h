// tacet/numeric/noise_sum.h: the distribution of a normal variable plus weighted Laplace variables.
//
// S = N(0, variance) + sum of weight_i L_i, with independent standard Laplace variables L_i: the
// noise in a sum of noisy counts, with or without sampling error.
//
//   const NoiseSum noise(/*variance=*/4, {{.weight = 2, .times = 3}, {.weight = -1}});
//   noise.upper(5);                    // P[S > 5]
//   noise.two_sided_quantile(0.05);    // the q with P[|S| > q] = 0.05
//
// Theorem  P[S > q] is the integral of exp(K(s) - s q)/(2 pi i s), K the logarithm of the moment
//          generating function, along a hyperbola through the saddle point whose branches leave at
//          60 degrees. Both factors fall along it, so the trapezium rule converges geometrically.
// Domain   variance >= 0, finite weights, times >= 0. If all are 0, S is 0.
// Error    tails relative 10^-9 down to 10^-15; quantiles relative 10^-10.
// Cost     closed forms for normal noise and for one Laplace variable; otherwise about 100 nodes
//          of one complex logarithm for each different weight.
// Checked  tests/numeric/noise_sum_test.cc: closed forms for one and two Laplace variables, the
//          normal and Laplace convolution, and simulation.
// Derivation  docs/explanation/proportions.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tacet::numeric {

class NoiseSum {
 public:
  struct Term {
    double weight;
    double times = 1;  // the number of Laplace variables with this weight
  };

  /// `half_step`: the noise stands for one on a lattice, whose points are twice as far apart. A
  /// tail then begins that much earlier, so that it contains the point where it begins.
  explicit NoiseSum(double variance, const std::vector<Term>& laplace = {}, double half_step = 0);

  /// P[S > q]; for S = 0 it is 1 at q <= 0, so that an exact value is never excluded.
  double upper(double q) const;
  /// Domain 10^-12 <= alpha < 1.
  double two_sided_quantile(double alpha) const;
  /// Of the whole sum.
  double variance() const { return total_variance_; }

 private:
  double saddle(double q) const;
  double continuous_upper(double q) const;
  double continuous_quantile(double alpha) const;

  double normal_variance_ = 0, total_variance_ = 0;
  std::vector<Term> laplace_;  // positive weights
  double largest_ = 0;
  double half_step_ = 0;
};

}  // namespace tacet::numeric
