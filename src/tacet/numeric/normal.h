// tacet/numeric/normal.h: the standard normal distribution: tails, logarithms, quantiles, bounds.
//
//   normal_upper(37.5);                       // 4.6e-308, every digit
//   normal_log_upper(1e10);                   // -5e19, where the tail itself has underflowed
//   normal_upper_quantile(1e-300);            // 37.05
//   enclosure(normal_log_upper(Ball(5)));     // proven bounds on log(1 - Phi(5)) (numeric/ball.h)
//
// Use the tail you need: 1 - normal_lower(x) has no correct digit once the upper tail is below
// 2^-53. Functions of a Ball or an Enclosure trust no library, so privacy may rest on them.
// Functions of a double use exp and log of the C library; they are accurate to a few ulp if those
// are to one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/numeric/ball.h"

namespace tacet::numeric {

/// phi(x) = exp(-x^2/2)/sqrt(2 pi).
/// Source   Dekker (1971): the square is kept to 106 bits, exp(-s/2) (1 - r/2) with s + r = x^2.
/// Domain   all doubles.        Error  3 ulp (absolute 2^-1073 below 2^-1022).
/// Cost     one exp.            Checked  tests/numeric/normal_test.cc, against MPFR.
double normal_density(double x);

/// P[Z <= x], P[Z > x]; and their logarithms.
/// Theorem  P[Z > x] = phi(x) M(x) with Mills' ratio M (numeric/mills.h).
/// Domain   all doubles.        Error  4 ulp (absolute 2^-1073 below 2^-1022); logarithms 4 ulp.
/// Cost     one exp or log, and one Mills' ratio: 30 to 110 ns. No allocation.
/// Checked  tests/numeric/normal_test.cc, against MPFR.
double normal_lower(double x);
double normal_upper(double x);
double normal_log_lower(double x);
double normal_log_upper(double x);

/// phi(x) / P[Z > x], the hazard: 1/M(x).
/// Theorem  as above; for x < 0 by phi(x) / (1 - P[Z > -x]).
/// Domain   all doubles.        Error  5 ulp.
/// Cost     as the tails.       Checked  tests/numeric/normal_test.cc, against MPFR.
double normal_hazard(double x);

/// The z with P[Z <= z] = p; with P[Z > z] = p; with log P[Z > z] = log_p.
/// Theorem  Halley's iteration on log P[Z > z], whose derivatives are -1/M and (z M - 1)/M^2; near
///          p = 1/2 on P[0 < Z <= z], so that z keeps its relative accuracy.
/// Domain   0 < p < 1, log_p < 0. At 0 and 1 the result is infinite; elsewhere NaN.
/// Error    5 ulp of the quantile of the given p or log_p.
/// Cost     at most 4 tails. No allocation.
/// Checked  tests/numeric/normal_test.cc, against MPFR: the tails 5 ulp to both sides enclose p.
double normal_lower_quantile(double p);
double normal_upper_quantile(double p);
double normal_log_upper_quantile(double log_p);

/// The tails as Balls.
/// Theorem  P[Z > x] = phi(x) M(x), in ball arithmetic.
/// Domain   all Balls with a radius of at most 0.001; otherwise the radius is infinite.
/// Error    given by the radius: about (4 + x^2) 2^-53 of the tail, 4 * 2^-53 of its logarithm.
/// Cost     150 ns. No allocation.       Checked  tests/numeric/normal_test.cc, against MPFR.
Ball normal_upper(const Ball& x);
Ball normal_log_upper(const Ball& x);
/// P[0 < Z <= x]. Domain 0 <= x <= 1. As above; the relative error is 2^-49 for every x.
Ball normal_central(const Ball& x);

/// Bounds on the z with log P[Z > z] = log_p, and on the z with P[0 < Z <= z] = probability.
/// Theorem  The tails are monotone; as Balls, the tails at the two ends lie on the two sides of
///          the argument.
/// Domain   log_p <= -1; 0 <= probability <= 1/4. Outside, or for too wide an argument, the ends
///          are infinite.
/// Error    outward; the width is below 2^-44 of z, plus the effect of the radius of the argument.
/// Cost     two to six Ball tails. No allocation.
/// Checked  tests/numeric/normal_test.cc, against MPFR.
Enclosure normal_log_upper_quantile_bounds(const Ball& log_p);
Enclosure normal_central_quantile_bounds(const Ball& probability);

}  // namespace tacet::numeric
