// tacet/accounting/blended_curve.h: the trade-off curve of any release together with Gaussian
// noise.
//
//   BlendedCurve curve(LaplaceRatio({1, 1}), 0.5);   // Laplace on two numbers, and 0.5-GDP
//   curve.at(0.05);                                  // beta, and the slope there
//
// The curve is f (x) G_mu. L is the log-likelihood ratio of the first release. The type I error of
// the test with threshold K is type_one(K) = E[1 - Phi((K - L + mu^2/2)/mu)];
// type_two(K) = type_one(-K), as both releases are symmetric.
// Theorem  Dong, Roth & Su (2022), Definition 6 (the product of hypothesis tests) and Neyman &
//          Pearson.
// Domain   mu from 1e-3 to 100; a Polygon or LaplaceRatio made by accounting/tradeoff.h.
// Error    of type_one: relative 1e-11; of at(): relative 1e-10 if beta is above 1e-300.
// Cost     polygon: one normal tail per side; Laplace: about 1000 evaluations of its tail. at():
//          10 to 50 times that.
// Checked  tests/accounting/blended_curve_test.cc: Gaussians as limits, quadrature, the
//          accountant, convexity and symmetry.
// Derivation  docs/explanation/blended_curve.md
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
  /// The masses add up to at most 1; the missing mass is at L = -infinity.
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
