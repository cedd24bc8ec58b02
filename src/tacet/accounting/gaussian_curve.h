// tacet/accounting/gaussian_curve.h: the exact privacy curve of Gaussian noise, from the safe side.
//
// Gaussian noise whose standard deviation is the L2 sensitivity divided by mu (and any mu-GDP mechanism) is (epsilon, delta)-DP exactly for
//
//   delta >= Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) = phi(a) (M(a) - M(b)),     a = epsilon/mu - mu/2, b = a + mu,
//
// with Mills' ratio M (numeric/mills.h). The right-hand side neither cancels nor overflows; for a < 0 and mu > 1/8 it is used as
// 1 - phi(a) (M(-a) + M(b)).
//
//   numeric::Enclosure delta = gaussian_delta(1.0, 0.25);       // delta.lower <= the true delta <= delta.upper
//   Result<double> epsilon = gaussian_epsilon_up(1e-6, 0.25);   // mu-GDP implies (epsilon, 1e-6)-DP, certainly
//   Result<double> mu = gaussian_mu_down(1.0, 1e-6);            // and this mu implies (1, 1e-6)-DP
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/numeric/ball.h"

namespace tacet::accounting {

/// Both sides of delta(epsilon, mu), and of its logarithm.
/// Theorem  Balle & Wang (2018), arXiv:1805.06530, Theorem 8; Dong, Roth & Su (2022), Corollary 1.
/// Domain   0 <= epsilon <= 10^13, 10^-110 <= mu <= 10^6; the logarithm: epsilon <= 10^80 mu. Outside: the enclosure of everything.
/// Error    outward. Relative width below (40 + 8 a^2 + 8 (|a| + 1) mu + 80 max(b, 1)/max(mu, 1/8)) 2^-53; below 2^-1022 delta is enclosed by
///          [0, 2^-1022]. The logarithm is as wide, and 16 * 2^-53 of itself, at any depth.
/// Cost     two Mills' ratios and an exponential, as Balls: 0.3 microseconds. No allocation.
/// Checked  tests/accounting/gaussian_curve_test.cc, against MPFR.
numeric::Enclosure gaussian_delta(double epsilon, double mu);
numeric::Enclosure gaussian_log_delta(double epsilon, double mu);

/// True only if it is proven that mu-GDP implies (epsilon, delta)-DP.
/// Theorem  as above.           Domain  as above, and 0 < delta <= 1; outside, false.
/// Error    one-sided: false although true happens within the relative width above.
/// Cost     as above.           Checked  as above.
bool gaussian_delta_is_at_most(double epsilon, double mu, double delta);

/// The least epsilon, rounded up, such that mu-GDP implies (epsilon, delta)-DP.
/// Theorem  as above; log delta is concave and falls with epsilon, so Halley's iteration finds the root; the result is certified.
/// Domain   10^-300 <= delta < 1, 10^-110 <= mu <= 10^6. Outside: InvalidArgument.
/// Error    one-sided: never too small; too large by at most 10^-12 (epsilon + mu). 0 when delta(0, mu) <= delta is proven.
/// Cost     about 5 evaluations: 1 microsecond. No allocation.
/// Checked  tests/accounting/gaussian_curve_test.cc, against MPFR.
Result<double> gaussian_epsilon_up(double delta, double mu);

/// The largest mu, rounded down, such that mu-GDP implies (epsilon, delta)-DP.
/// Theorem  as above; d log delta / d log mu = mu/(M(a) - M(b)), and its derivative is as simple: Halley's iteration in log mu.
/// Domain   10^-100 <= epsilon <= 10^6 and 10^-300 <= delta < 1; or epsilon = 0 and 10^-100 <= delta < 1. Outside: InvalidArgument.
/// Error    one-sided: never too large; too small by at most a relative 4 10^-13.
/// Cost     about 5 evaluations: 1 microsecond. No allocation.
/// Checked  tests/accounting/gaussian_curve_test.cc and calibration_test.cc, against MPFR.
Result<double> gaussian_mu_down(double epsilon, double delta);

}  // namespace tacet::accounting
