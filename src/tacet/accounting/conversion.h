// tacet/accounting/conversion.h: converts a privacy promise to another currency, rounded safely.
//
//   ZcdpToDp c = *epsilon_of_zcdp({.xi = 0, .rho = 0.125}, 1e-6);
//   c.best.epsilon;               // 2.4190..., by the better of two theorems
//   c.best.theorem;               // "Canonne, Kamath & Steinke (2020), Corollary 13"
//   c.theorem_2_2_4.epsilon;      // 2.7084...
//
// Every result is an upper bound on the privacy loss and names its theorem. For a Gaussian release
// convert its mu: the exact curve is below the one that follows from its rho. An implication that
// does not hold is refused: (epsilon, delta)-DP with delta > 0 implies no mu.
// Domain   epsilon, rho and mu 10^-100 to 10^6; 10^-300 <= delta < 1. xi and rho may be 0, and so
//          may epsilon if a delta is wanted. Outside: InvalidArgument.
// Cost     below 20 microseconds each.
// Checked  tests/accounting/conversion_test.cc: MPFR and independent values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tacet/base/result.h"

namespace tacet::accounting {

/// (epsilon, delta)-DP with its theorem. `rule` is a short name for files and tables.
struct DpGuarantee {
  double epsilon, delta;
  std::string_view rule, theorem;
};
/// (xi, rho)-zCDP; rho-zCDP when xi is 0.
struct Zcdp {
  double xi, rho;
};
struct ZcdpGuarantee {
  Zcdp zcdp;
  std::string_view rule, theorem;
};
struct GdpGuarantee {
  double mu;
  std::string_view rule, theorem;
};

struct ZcdpToDp {
  DpGuarantee best;  // the smaller of the two
  DpGuarantee theorem_2_2_4, optimal;
};

/// The epsilon that (xi, rho)-zCDP implies for a given delta.
/// Theorem  (a) Rogers, Theorem 2.2.4 (Bun & Steinke 2016, Lemma 3.6): xi + rho + 2 sqrt(rho
///          log(sqrt(pi rho)/delta)). For delta > sqrt(pi rho) the paper's formula has no root;
///          there the lemma at epsilon = xi + rho gives sqrt(pi rho) <= delta, so
///          epsilon = xi + rho.
///          (b) Canonne, Kamath & Steinke (2020), Proposition 12 and Corollary 13: for every order
///          a > 1, xi + a rho + (log(1/delta) + a log(1 - 1/a) - log(a - 1))/(a - 1). Every a is
///          valid; the best solves rho (a - 1)^2 + log a = log(1/delta). Never below 0.
/// Domain   as above.
/// Error    one-sided: rounded up, by a relative 10^-12 at most; 10^-15 absolute near 0.
/// Cost     as above.           Checked  as above.
Result<ZcdpToDp> epsilon_of_zcdp(Zcdp loss, double delta);

/// The delta that (xi, rho)-zCDP implies for a given epsilon.
/// Theorem  (a) sqrt(pi rho) exp(-(epsilon - xi - rho)^2/(4 rho)) for epsilon >= xi + rho,
///          otherwise 1.
///          (b) For every order a > 1, exp((a - 1)(xi + a rho - epsilon)) (1 - 1/a)^a/(a - 1); the
///          best solves (2 a - 1) rho + xi - epsilon + log(1 - 1/a) = 0. Never above 1. With
///          rho = 0 and epsilon >= xi delta is 0 (Rogers, Theorem 2.2.3).
/// Domain   as above.
/// Error    one-sided: rounded up, by at most 10^-12 (1 + |log delta|) in log delta; a delta below
///          10^-300 becomes 10^-300.
/// Cost     as above.           Checked  as above.
Result<ZcdpToDp> delta_of_zcdp(Zcdp loss, double epsilon);

/// The epsilon for a delta, and the delta for an epsilon, from mu-GDP: the exact curve
/// (accounting/gaussian_curve.h).
/// Theorem  Dong, Roth & Su (2022), Corollary 1.
/// Domain   as above.           Error  one-sided, up: 10^-12 (epsilon + mu); delta as
///          gaussian_delta.
/// Cost     as above.           Checked  as above.
Result<DpGuarantee> epsilon_of_gdp(double mu, double delta);
Result<DpGuarantee> delta_of_gdp(double mu, double epsilon);

/// epsilon-DP as zCDP: rho = epsilon^2/2, or exactly as (epsilon, 0)-zCDP.
/// Theorem  Rogers, Theorem 2.2.3 (Bun & Steinke 2016, Proposition 1.4 and Lemma 3.2).
/// Domain   as above.
/// Error    rho is the least double that is at least epsilon^2/2; none for (epsilon, 0).
/// Cost     as above.           Checked  as above.
Result<ZcdpGuarantee> zcdp_of_pure(double epsilon);
Result<ZcdpGuarantee> exact_zcdp_of_pure(double epsilon);

/// mu-GDP as zCDP: rho = mu^2/2.
/// Theorem  A mu-GDP mechanism is a post-processing of N(0,1) against N(mu,1) (Dong, Roth & Su
///          2022, Theorem 2, after Blackwell), whose divergence of order a is a mu^2/2.
/// Domain   as above.           Error  the least double that is at least mu^2/2.
/// Cost     as above.           Checked  as above.
Result<ZcdpGuarantee> zcdp_of_gdp(double mu);

/// The least mu that epsilon-DP implies: 2 Phi^-1(e^epsilon/(1 + e^epsilon)).
/// Theorem  Lee (12). The trade-off curve of epsilon-DP is two chords from (0, 1) and (1, 0) that
///          meet at (p, p), p = 1/(1 + e^epsilon). G_mu is convex and has the same ends. It passes
///          through (p, p) exactly if Phi(-mu/2) = p; then it lies below both chords, and no
///          smaller mu does.
/// Domain   as above.           Error  one-sided: rounded up, by a relative 10^-12 at most.
/// Cost     as above.           Checked  as above.
Result<GdpGuarantee> gdp_of_pure(double epsilon);
/// The inverse: the largest epsilon, rounded down, such that epsilon-DP implies mu-GDP,
/// log(Phi(mu/2)/Phi(-mu/2)). Contract as above.
Result<double> pure_epsilon_for_gdp(double mu);

/// (epsilon, delta)-DP as mu-GDP: gdp_of_pure for delta = 0. For delta > 0 no mu is implied
/// (Unsupported), because the trade-off curve starts at 1 - delta and G_mu at 1. For a release
/// that is known to be Gaussian use mu_for in accounting/calibration.h.
/// Theorem  as gdp_of_pure.     Domain  delta = 0.     Error  as gdp_of_pure.
/// Cost     as above.           Checked  as above.
Result<GdpGuarantee> gdp_of_approximate(double epsilon, double delta);

}  // namespace tacet::accounting
