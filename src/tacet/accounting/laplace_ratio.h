// tacet/accounting/laplace_ratio.h: the likelihood ratio of shifted Laplace noise, exactly.
//
//   LaplaceRatio ratio({1, 1});              // two counts that change by one scale each
//   double beta = ratio.at(0.05).beta;       // the least type II error at level 5 %
//
// P is the distribution of n independent standard Laplace variables, Q the same shifted by (d_1,
// ..., d_n), and L = sum |x_i| - |x_i - d_i| the logarithm of dQ/dP. The most powerful tests
// reject P if L > K, so the trade-off curve follows from
//
//   type_one(K) = P[L > K]      type_two(K) = Q[L <= K]
//
// Both have a closed form in n dimensions: an exponential times a piecewise polynomial of degree
// n - 1 with knots at the 2^n points sum +-d_i. In two dimensions it is Lee et al. (2022), (14);
// they have no form for more. Signs, order and zeros of the d_i do not matter.
// Derivation  docs/explanation/laplace_likelihood_ratio.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace tacet::accounting {

class LaplaceRatio {
 public:
  static constexpr std::size_t kMostDimensions = 10;  // coordinates that are not zero

  /// Theorem  Neyman & Pearson (1933) and the closed form.
  /// Domain   1 to kMostDimensions strictly positive sizes |d_i| with a sum of at most 700.
  ///          TradeOff::laplace checks this.
  /// Error    relative 1e-13 of type_one, type_two and beta (measured: 3e-16 in two dimensions,
  ///          3e-14 in ten).
  /// Cost     2^n n operations to build, for type_one and for type_two; 10 to 20 times that for
  ///          beta.
  /// Checked  tests/accounting/laplace_ratio_test.cc: exact rationals, quadrature, Lee (14),
  ///          independent values, simulation.
  explicit LaplaceRatio(std::vector<double> sizes);

  /// P[L > K] and Q[L <= K].
  double type_one(double k) const;
  double type_two(double k) const;

  /// The least type II error at type I error alpha, 0 <= alpha <= 1, and a slope of the curve
  /// there, -e^K.
  struct Point {
    double beta, slope;
  };
  Point at(double alpha) const;

  /// sup over alpha of 1 - beta - e^epsilon alpha, for epsilon >= 0, attained at K = epsilon.
  /// Absolute error 1e-13.
  double delta(double epsilon) const;
  /// The point beta = alpha: at K = 0, halfway along the straight piece if there is one.
  double fixed_point() const;

  const std::vector<double>& sizes() const { return sizes_; }  // largest first
  double total() const { return total_; }                      // s
  /// The type I errors at which the curve changes its form, increasing from 0 to 1.
  std::vector<double> breaks() const;

 private:
  struct Knot {  // a point sum +-d_i, or several that coincide
    double k;
    // The sum of the polynomials that start there, in powers of (K - k)/2.
    std::vector<double> poly;
    double above, from;  // P[L > k], P[L >= k]
  };
  std::size_t segment_of(double k) const;          // the number of knots <= k
  double g(std::size_t below, double k) const;     // g(k), for a k with `below` knots on its left
  double tail(std::size_t below, double k) const;  // P[L > k], likewise

  std::vector<double> sizes_;
  double total_ = 0;
  std::vector<Knot> knots_;  // increasing in k, symmetric about 0
};

}  // namespace tacet::accounting
