// tacet/numeric/weighted_chi2.h: the distribution of a sum of weighted chi-square variables.
//
// Q = sum of weight_i chi2(df_i, noncentrality_i): the null distribution of a noisy chi-square
// statistic, and the distribution of a quadratic form of a normal vector.
//
//   const std::vector<ChiTerm> terms = {{.weight = 3}, {.weight = 1, .df = 2}};
//   WeightedChi2 q = *WeightedChi2::of(terms);
//   q.upper(40);                     // P[Q > 40], to twelve digits, also where it is 1e-30
//   q.upper_quantile(0.05);          // the critical value
//
// Theorem  Each tail is a contour integral of the moment generating function, along a parabola
//          through the saddle point. The trapezium rule converges geometrically on it.
// Domain   1 to 10^6 terms; weights 10^-100 to 10^100, df 10^-3 to 10^9, noncentrality 0 to 10^9.
//          Outside: InvalidArgument.
// Error    relative 10^-12 in the smaller tail, down to 10^-300 (measured: 2 10^-14 down to
//          10^-30); quantiles relative 10^-12. Rounding is not directed, so no privacy guarantee
//          rests on it.
// Cost     20 to 100 nodes of one complex product per weight: 10 to 20 microseconds for 100
//          weights; a quantile takes 5 times that (bench/calibration_bench.cc).
// Checked  tests/numeric/weighted_chi2_test.cc: chi-square, normal and hypoexponential
//          distributions and Poisson mixtures in MPFR, a reference table, Rogers Table 3 and
//          independent values.
// Derivation  docs/explanation/weighted_chi_square.md
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

  /// The q with P[Q > q] = p, or P[Q <= q] = p; contract above. Domain 10^-300 <= p < 1; otherwise
  /// NaN.
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

  // Weights are divided by the largest; terms are sorted by df, so that equal ones are multiplied
  // together.
  std::vector<ChiTerm> terms_;
  double scale_ = 1;  // the largest weight
  double mean_ = 0, variance_ = 0;
  bool central_ = true;
};

}  // namespace tacet::numeric
