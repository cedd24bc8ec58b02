// tacet/accounting/blended_curve.h: a release of any kind and Gaussian noise together: the trade-off curve f (x) G_mu.
//
//   BlendedCurve curve(LaplaceRatio({1, 1}), 0.5);      // Laplace noise of scale 1 on two numbers, and 0.5-GDP
//   curve.at(0.05)                                      // beta, and the slope there
//
// L is the log-likelihood ratio of the first release and Z that of the second, normal with standard deviation mu around -mu^2/2 under the null
// hypothesis. They are independent, so the best tests reject when L + Z > K, and
//
//   type_one(K) = E[1 - Phi((K - L + mu^2/2)/mu)],      type_two(K) = type_one(-K), as both releases are symmetric.
//
// A collection of (epsilon, delta) has an L with finitely many values: one for each side of its polygon. Laplace noise has a piecewise smooth
// one: by parts, with g(l) the bracket, E[g(L)] = g(-s) + integral of g'(l) P[L > l] over |l| <= s, on panels between its knots.
// Theorem  Dong, Roth & Su (2022), Definition 6 (the product of hypothesis tests) and Neyman & Pearson.
// Domain   mu from 1e-3 to 100; a Polygon or LaplaceRatio as accounting/tradeoff.h makes it.
// Error    of type_one: relative 1e-11; of at(): relative 1e-10 where beta is above 1e-300.
// Cost     polygon: one normal tail for each side; Laplace: some 1000 evaluations of its tail. at(): 10 to 50 times that.
// Checked  tests/accounting/blended_curve_test.cc: Gaussians as limits, quadrature, the accountant, convexity and symmetry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "tacet/accounting/laplace_ratio.h"

namespace tacet::accounting {

class BlendedCurve {
 public:
  struct Atom {
    double ratio, mass;  // a value of L and its probability under the null hypothesis
  };

  BlendedCurve(LaplaceRatio laplace, double mu) : base_(std::move(laplace)), mu_(mu) {}
  /// The masses add up to at most 1; what is missing stands at L = -infinity.
  BlendedCurve(std::vector<Atom> atoms, double mu) : base_(std::move(atoms)), mu_(mu) {}

  double type_one(double k) const;
  LaplaceRatio::Point at(double alpha) const;
  /// sup over alpha of 1 - beta - e^epsilon alpha, attained at K = epsilon. Absolute error 1e-11.
  double delta(double epsilon) const;
  double fixed_point() const { return type_one(0); }

  double mu() const { return mu_; }
  const LaplaceRatio* laplace() const { return std::get_if<LaplaceRatio>(&base_); }
  /// The same release with another mu.
  BlendedCurve with(double mu) const;

 private:
  double bracket(double k, double l) const;  // 1 - Phi((k - l + mu^2/2)/mu)
  double laplace_type_one(const LaplaceRatio& laplace, double k) const;
  std::variant<LaplaceRatio, std::vector<Atom>> base_;
  double mu_;
};

}  // namespace tacet::accounting
