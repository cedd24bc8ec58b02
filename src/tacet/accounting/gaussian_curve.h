// tacet/accounting/gaussian_curve.h: the exact privacy curve of Gaussian noise, rounded safely.
//
// Let the standard deviation of Gaussian noise be the L2 sensitivity divided by mu. This noise,
// and any mu-GDP mechanism, is (epsilon, delta)-DP exactly for
//
//   delta >= Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) = phi(a) (M(a) - M(b)),
//
// with a = epsilon/mu - mu/2, b = a + mu and Mills' ratio M (numeric/mills.h). The right-hand side
// neither cancels nor overflows. For a < 0 and mu > 1/8 it is computed as 1 - phi(a)
// (M(-a) + M(b)).
//
//   numeric::Enclosure delta = gaussian_delta(1.0, 0.25);       // proven bounds on delta
//   Result<double> epsilon = gaussian_epsilon_up(1e-6, 0.25);   // 0.25-GDP is (epsilon, 1e-6)-DP
//   Result<double> mu = gaussian_mu_down(1.0, 1e-6);            // mu-GDP is (1, 1e-6)-DP
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/numeric/ball.h"

namespace tacet::accounting {

/// Bounds on delta(epsilon, mu) and on its logarithm.
/// Theorem  Balle & Wang (2018), arXiv:1805.06530, Theorem 8; Dong, Roth & Su (2022), Corollary 1.
/// Domain   0 <= epsilon <= 10^13, 10^-110 <= mu <= 10^6; the logarithm: epsilon <= 10^80 mu.
///          Outside: the widest enclosure.
/// Error    outward. Relative width below (40 + 8 a^2 + 8 (|a| + 1) mu + 80 max(b, 1)/max(mu,
///          1/8)) 2^-53; a delta below 2^-1022 is enclosed by [0, 2^-1022]. The logarithm has this
///          absolute width plus 16 * 2^-53 of itself, at any depth.
/// Cost     two Mills' ratios and an exponential, as Balls: 0.3 microseconds. No allocation.
/// Checked  tests/accounting/gaussian_curve_test.cc, against MPFR.
numeric::Enclosure gaussian_delta(double epsilon, double mu);
numeric::Enclosure gaussian_log_delta(double epsilon, double mu);

/// True only if it is proven that mu-GDP implies (epsilon, delta)-DP.
/// Theorem  as above.           Domain  as above, and 0 < delta <= 1; outside, false.
/// Error    one-sided: it may be false although true, but only within the relative width above.
/// Cost     as above.           Checked  as above.
bool gaussian_delta_is_at_most(double epsilon, double mu, double delta);

/// The least epsilon, rounded up, such that mu-GDP implies (epsilon, delta)-DP.
/// Theorem  as above; log delta is concave and decreasing in epsilon. Halley's iteration finds the
///          root, and the result is certified.
/// Domain   10^-300 <= delta < 1, 10^-110 <= mu <= 10^6. Outside: InvalidArgument.
/// Error    one-sided: never too small; too large by at most 10^-12 (epsilon + mu). It is 0 if
///          delta(0, mu) <= delta is proven.
/// Cost     about 5 evaluations: 1 microsecond. No allocation.
/// Checked  tests/accounting/gaussian_curve_test.cc, against MPFR.
Result<double> gaussian_epsilon_up(double delta, double mu);

/// The largest mu, rounded down, such that mu-GDP implies (epsilon, delta)-DP.
/// Theorem  as above; d log delta / d log mu = mu/(M(a) - M(b)). Halley's iteration in log mu.
/// Domain   10^-100 <= epsilon <= 10^6 and 10^-300 <= delta < 1; or epsilon = 0 and
///          10^-100 <= delta < 1. Outside: InvalidArgument.
/// Error    one-sided: never too large; too small by at most a relative 4 10^-13.
/// Cost     about 5 evaluations: 1 microsecond. No allocation.
/// Checked  tests/accounting/gaussian_curve_test.cc and calibration_test.cc, against MPFR.
Result<double> gaussian_mu_down(double epsilon, double delta);

}  // namespace tacet::accounting
