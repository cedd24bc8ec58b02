// tacet/accounting/laplace_ratio.h: the likelihood ratio of shifted Laplace noise, exactly, in several dimensions.
//
// P is n independent standard Laplace variables, Q the same moved by (d_1, ..., d_n), and L = sum |x_i| - |x_i - d_i| the logarithm
// of dQ/dP. The most powerful tests reject P when L > K, so all of the trade-off curve is in
//
//   type_one(K) = P[L > K]      type_two(K) = Q[L <= K]
//
// For one coordinate, e^(l/2) times the law of L under P is e^(-d/2) times the symmetric measure with mass 1/2 at -d and d and density 1/4
// between. So in n dimensions it is e^(-s/2), s = sum |d_i|, times a piecewise polynomial with atoms at the 2^n points sum +-d_i, and
//
//   P[L > K] = e^(-(s + K)/2) g(K),      Q[L <= K] = e^(-(s - K)/2) g(-K),
//
// with g a polynomial of degree n - 1 between two neighbouring points: a sum of n + 1 fixed polynomials moved to the points (see the .cc).
// In two dimensions this is Lee et al. (2022), (14); they have no form for more. Signs and order of the d_i do not matter, nor do zeros.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace tacet::accounting {

class LaplaceRatio {
 public:
  static constexpr std::size_t kMostDimensions = 10;  // coordinates that are not zero

  /// Theorem  Neyman & Pearson (1933) and the closed form above; derived in laplace_ratio.cc.
  /// Domain   1 to kMostDimensions strictly positive sizes |d_i| with a sum of at most 700. TradeOff::laplace has checked them.
  /// Error    relative 1e-13 of type_one, type_two and beta (measured: 3e-16 in two dimensions, 3e-14 in ten).
  /// Cost     2^n n operations to build and for type_one and type_two, about 10 to 20 times that for beta.
  /// Checked  tests/accounting/laplace_ratio_test.cc: exact rationals, quadrature, Lee (14), independent values, simulation.
  explicit LaplaceRatio(std::vector<double> sizes);

  /// P[L > K] and Q[L <= K].
  double type_one(double k) const;
  double type_two(double k) const;

  /// The least type II error at type I error alpha, 0 <= alpha <= 1, and a slope of the curve there (-e^K).
  struct Point {
    double beta, slope;
  };
  Point at(double alpha) const;

  /// sup over alpha of 1 - beta - e^epsilon alpha, for epsilon >= 0: attained at K = epsilon. Absolute error 1e-13.
  double delta(double epsilon) const;
  /// Where beta = alpha: at K = 0, halfway along the straight piece if there is one.
  double fixed_point() const;

  const std::vector<double>& sizes() const { return sizes_; }  // largest first
  double total() const { return total_; }                      // s
  /// Type I errors at which the curve changes its form, rising from 0 to 1.
  std::vector<double> breaks() const;

 private:
  struct Knot {  // a point sum +-d_i, or several that coincide
    double k;
    std::vector<double> poly;  // the sum of the polynomials that start there, in powers of (K - k)/2
    double above, from;        // P[L > k], P[L >= k]
  };
  std::size_t segment_of(double k) const;          // how many knots are <= k
  double g(std::size_t below, double k) const;     // g(k), for a k that has `below` knots on its left
  double tail(std::size_t below, double k) const;  // P[L > k] likewise

  std::vector<double> sizes_;
  double total_ = 0;
  std::vector<Knot> knots_;  // rising in k, symmetric about 0
};

}  // namespace tacet::accounting
