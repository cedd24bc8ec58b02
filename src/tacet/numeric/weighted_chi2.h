// tacet/numeric/weighted_chi2.h: sums of weighted chi-square variables: Q = sum of weight_i chi2(df_i, noncentrality_i).
//
// The null law of a noisy chi-square statistic, and the law of quadratic forms of normal vectors.
//
//   WeightedChi2 law = *WeightedChi2::of({{.weight = 3}, {.weight = 1, .df = 2}});
//   law.upper(40)                      P[Q > 40], to twelve digits, also where it is 1e-30
//   law.upper_quantile(0.05)           the critical value
//
// Theorem  P[Q > q] = (1/pi) integral over t > 0 of Im[exp(K(s) - s q) s'(t)/s],
//          K(s) = sum of -df/2 log(1 - 2 w s) + noncentrality w s/(1 - 2 w s), along s = c + i t + t^2/(4 (b - c)) with c > 0 near the saddle
//          point K'(c) = q and b = 1/(2 max w). On this parabola all branch points keep the same distance 2 (b - c), so that nothing oscillates
//          and the trapezium rule converges geometrically. With c < 0 the integral is -P[Q <= q]: each tail is computed on its own side.
// Domain   1 to 10^6 terms; weights 10^-100 to 10^100, df 10^-3 to 10^9, noncentrality 0 to 10^9. Outside: InvalidArgument.
// Error    relative 10^-12 in the smaller tail, down to 10^-300 (measured: 2 10^-14 down to 10^-30); quantiles relative 10^-12. Ordinary
//          doubles, not directed: no guarantee of differential privacy rests on it.
// Cost     20 to 100 nodes of one complex product per weight: 10 to 20 microseconds for 100 weights, a quantile 5 times that
//          (bench/calibration_bench.cc).
// Checked  tests/numeric/weighted_chi2_test.cc: chi-square, normal and hypoexponential laws and Poisson mixtures in MPFR, a reference table,
//          Rogers Table 3 and independent values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tacet/base/result.h"

namespace tacet::numeric {

struct ChiTerm {
  double weight;
  double df = 1;
  double noncentrality = 0;
};

class WeightedChi2 {
 public:
  static Result<WeightedChi2> of(std::span<const ChiTerm> terms);
  /// One degree of freedom for each weight.
  static Result<WeightedChi2> of_weights(std::span<const double> weights);

  /// P[Q > q] and P[Q <= q]; contract above.
  double upper(double q) const;
  double lower(double q) const;
  double density(double q) const;

  /// The q with P[Q > q] = p, or P[Q <= q] = p; contract above. Domain 10^-300 <= p < 1; otherwise NaN.
  double upper_quantile(double p) const;
  double lower_quantile(double p) const;

  double mean() const { return mean_; }
  double variance() const { return variance_; }

 private:
  struct Tails {
    double upper, lower, density;
  };
  struct Contour;
  WeightedChi2() = default;
  Tails tails(double unscaled) const;
  double saddle(double q) const;
  void moments_at(double c, double& first, double& second) const;
  double quantile(double upper, double lower) const;

  std::vector<ChiTerm> terms_;  // weights divided by the largest; sorted by df, so that equal ones are multiplied together
  double scale_ = 1;            // the largest weight
  double mean_ = 0, variance_ = 0;
  bool central_ = true;
};

}  // namespace tacet::numeric
