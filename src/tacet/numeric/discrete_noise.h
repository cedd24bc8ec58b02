// tacet/numeric/discrete_noise.h: noise on the integers, as other systems publish it.
//
//   DiscreteNoise gaussian = DiscreteNoise::gaussian(/*sigma=*/0.5);
//   gaussian.variance();                    // 0.2150, not 0.25
//   DiscreteNoise geometric = DiscreteNoise::geometric(/*scale=*/1);
//   geometric.beyond(3);                    // P[|Z| > 3]
//   geometric.max_quantile(/*p=*/6, 0.05);  // the least q with P[|Z_j| <= q, all 6] >= 0.95
//   InsecureStream stream(/*seed=*/7, /*index=*/0);
//   std::vector<double> drawn(256);
//   geometric.fill(stream, drawn);          // for simulation
//
// P[z] is proportional to exp(-z^2/(2 sigma^2)) or to exp(-|z|/scale).
// For a large scale both agree with continuous noise of the same variance. For a small one they do
// not: with sigma 0.5 the variance is 14 % less than sigma^2.
// Source   discrete Gaussian: Canonne, Kamath & Steinke (2020), arXiv:2004.00010, Definition 1;
//          two-sided geometric: Ghosh, Roughgarden & Sundararajan (2009).
// Theorem  Geometric, r = exp(-1/scale): P[|Z| > k] = 2 r^(k+1)/(1 + r), variance 2 r/(1 - r)^2; Z
//          is the difference of two geometric variables, floors of exponential ones.
//          Discrete Gaussian: up to sigma 16 sums of its probabilities. Above, a normal variable
//          of variance sigma^2 - 1/12 that is rounded (Sheppard's correction): its fourth cumulant
//          is off by 1/120, a part 10^-7 of sigma^4.
// Domain   1e-100 <= scale <= 1e100; p >= 1; 0 < alpha <= 1/2.
// Error    variance relative 10^-12; tails relative 10^-6 down to 10^-12; draws as
//          insecure_stream.h, whose tails end at 2^-53.
// Cost     a draw tens of nanoseconds.
// Checked  tests/numeric/discrete_noise_test.cc: sums of probabilities, and frequencies of draws.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tacet/numeric/insecure_stream.h"

namespace tacet::numeric {

class DiscreteNoise {
 public:
  static DiscreteNoise gaussian(double sigma);
  static DiscreteNoise geometric(double scale);

  double variance() const { return variance_; }
  /// P[|Z| > k] for a whole number k >= 0; 1 below 0.
  double beyond(double k) const;
  /// The least whole number q such that p independent draws are all within q with probability at
  /// least 1 - alpha.
  double max_quantile(std::size_t p, double alpha) const;
  void fill(InsecureStream& stream, std::span<double> values) const;

 private:
  enum class Form { Table, Rounded, Geometric };
  DiscreteNoise() = default;

  Form form_ = Form::Geometric;
  double scale_ = 1;  // of the geometric distribution, or the sd of the variable that is rounded
  double variance_ = 0;
  std::vector<double> beyond_;  // P[|Z| > k], k = 0, 1, ...: of a table
};

}  // namespace tacet::numeric
