// tacet/accounting/tradeoff.h: trade-off curves: how well two neighbouring inputs can be told
// apart.
//
// f(alpha) is the least type II error of a test of level alpha between the outcomes on two
// neighbouring inputs (Dong, Roth & Su 2022). A higher curve is more private; f(alpha) = 1 - alpha
// is perfect privacy. Every curve here is convex, decreasing and symmetric.
//
//   TradeOff noise = *TradeOff::laplace({1.0, -1.0});   // a table of counts, Laplace scale 1
//   double beta = *noise.at(0.05);                      // the least type II error at level 5 %
//   double delta = *noise.delta(0.5);                   // the least delta: (0.5, delta)-DP
//
// Curves are for insight, plans and plots. They use ordinary double arithmetic with the errors
// stated. Charges to a ledger are computed elsewhere with outward rounding (privacy/currency.h,
// accounting/laplace_gdp.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/accounting/blended_curve.h"
#include "tacet/accounting/laplace_ratio.h"
#include "tacet/base/result.h"

namespace tacet::accounting {

struct EpsilonDelta {
  double epsilon, delta;
};

struct Comparison;

class TradeOff {
 public:
  /// G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu), the curve of the Gaussian mechanism.
  /// Theorem  Dong, Roth & Su (2022), (6); Lee et al. (2022), section 1.1.
  /// Domain   0 <= mu <= 100; 0 is perfect privacy.
  /// Error    of at(): relative 1e-12 for results above 1e-300.
  /// Cost     constant.
  /// Checked  tests/accounting/tradeoff_test.cc, against MPFR.
  static Result<TradeOff> gaussian(double mu);

  /// The largest curve that every mechanism with all of these guarantees satisfies: the maximum of
  /// the lines 1 - delta - e^epsilon alpha, of their mirror images e^-epsilon (1 - delta - alpha),
  /// and 0. Pure epsilon-DP has its kink at 1/(1 + e^epsilon); Lee et al. have a misprint before
  /// (12).
  /// Theorem  Wasserman & Zhou (2010), Theorem 2.4; Dong, Roth & Su (2022), section 2.4, dual to
  ///          primal.
  /// Domain   1 to 100,000 pairs, 0 <= epsilon <= 700, 0 <= delta <= 1.
  /// Error    of at(): absolute 4e-16, and relative 1e-14 where delta = 0.
  /// Cost     n log n to build, log n for at(), n for delta().
  /// Checked  tests/accounting/tradeoff_test.cc.
  static Result<TradeOff> collection(const std::vector<EpsilonDelta>& pairs);
  static Result<TradeOff> pure(double epsilon) { return collection({{epsilon, 0}}); }
  static Result<TradeOff> approximate(double epsilon, double delta) { return collection({{epsilon, delta}}); }

  /// Independent Laplace noise of scale 1 on a vector that changes by `shift` (for scale b:
  /// shift/b).
  /// Theorem  Lee et al. (2022), Proposition 9 (one dimension) and (14) (two); up to ten shifts
  ///          that are not zero: accounting/laplace_ratio.h. More: accounting/many_laplace.h, a
  ///          curve that is proven to be nowhere above the true one.
  /// Domain   finite shifts whose absolute values add up to at most 700, at most 10^6 of them.
  /// Error    see there; slack() of more than ten shifts.
  /// Cost     2^n for n shifts that are not zero, and a few seconds for more than ten.
  /// Checked  tests/accounting/tradeoff_test.cc, tests/accounting/laplace_ratio_test.cc.
  static Result<TradeOff> laplace(const std::vector<double>& shift);

  /// beta = f(alpha), 0 <= alpha <= 1. Error and cost are stated above for each kind of curve.
  Result<double> at(double alpha) const;
  /// The least alpha with f(alpha) <= beta, 0 <= beta <= 1. It equals f, because curves are
  /// symmetric.
  Result<double> inverse(double beta) const;
  /// The c with f(c) = c.
  double fixed_point() const;

  /// The least delta with which the curve is (epsilon, delta)-DP: sup over alpha of
  /// 1 - f(alpha) - e^epsilon alpha.
  /// Theorem  Dong, Roth & Su (2022), section 2.4, primal to dual. collection() of such pairs is
  ///          the inverse: it is nowhere above f, and touches f where the slope is -e^epsilon or
  ///          -e^-epsilon.
  /// Domain   0 <= epsilon <= 700.
  /// Error    absolute 4e-15 (Laplace in more than two dimensions: 1e-13); small deltas lose
  ///          relative accuracy.
  /// Cost     as at().
  /// Checked  tests/accounting/tradeoff_test.cc.
  Result<double> delta(double epsilon) const;

  /// How far the true curve may lie above this one: 0 except for Laplace noise on more than ten
  /// numbers.
  double slack() const;

  /// "Gaussian, mu 1", "Laplace, shift (1, 1)", "(epsilon, delta) = (1, 0)", or "3 pairs of
  /// (epsilon, delta)".
  std::string describe() const;

  friend Comparison compare(const TradeOff& f, const TradeOff& g);
  friend Comparison compare_on_dual_mesh(const TradeOff& f, const TradeOff& g);
  friend Result<TradeOff> compose(const TradeOff& f, const TradeOff& g);

 private:
  struct Gaussian {
    double mu;
    double at(double alpha) const;
    double delta(double epsilon) const;
    double fixed_point() const;
  };
  struct Polygon {
    struct Vertex {
      double alpha, beta;
    };
    std::vector<EpsilonDelta> pairs;  // the relevant ones, the largest epsilon first
    std::vector<Vertex> vertices;     // from alpha = 0 to 1
    std::string name = {};            // if the pairs stand for another curve
    double slack = 0;                 // how far that curve may be above
    double at(double alpha) const;
    double delta(double epsilon) const;
    double fixed_point() const;
  };
  using Kind = std::variant<Gaussian, Polygon, LaplaceRatio, BlendedCurve>;
  template <class T, class... Arguments>
  static TradeOff of(Arguments&&... arguments) {
    return TradeOff(std::make_shared<const Kind>(std::in_place_type<T>, std::forward<Arguments>(arguments)...));
  }
  explicit TradeOff(std::shared_ptr<const Kind> kind) : kind_(std::move(kind)) {}
  static Result<TradeOff> blend(const TradeOff& f, double mu);
  double value(double alpha) const;
  double conjugate(double epsilon) const;
  // An alpha where 1 - f(alpha) - e^epsilon alpha is largest.
  double touches(double epsilon) const;
  std::shared_ptr<const Kind> kind_;  // immutable, so that copies share it
};

/// The curve of two independent releases together, if it is known exactly.
/// Theorem  Gaussians: mu^2 adds up (Dong, Roth & Su 2022, Corollary 2). Laplace: the shifts form
///          one vector, because the product of two product distributions is one. Any curve with a
///          Gaussian: accounting/blended_curve.h. Perfect privacy changes nothing.
/// Domain   any curve with a Gaussian (mu at least 1e-3; none with slack()) or with perfect
///          privacy; two Laplace curves with at most 10 shifts each. Otherwise Unsupported.
/// Error    as of the factors.      Cost   as of the result.
/// Checked  tests/accounting/tradeoff_test.cc.
Result<TradeOff> compose(const TradeOff& f, const TradeOff& g);

}  // namespace tacet::accounting
