// tacet/numeric/mills.h: Mills' ratio of the normal law, its differences, and their proven bounds.
//
// M(x) = Q(x)/phi(x) = integral over t > 0 of exp(-x t - t^2/2): what is left of a normal tail when its exponential part is taken away. It is
// smooth, positive and falling, about 1/x for large x, so tails of any depth are computed without underflow:
// log Q(x) = -x^2/2 - log sqrt(2 pi) + log M(x).
//
//   mills(37.0)                       a double, to a few ulp
//   mills(Ball(37.0))                 the same with a proven radius
//   mills_gap(m, h)                   M(m - h) - M(m + h), to a few ulp of the gap itself, however small h is
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/numeric/ball.h"

namespace tacet::numeric {

/// Mills' ratio (1 - Phi(x)) / phi(x).
/// Theorem  M_n(x) = (1/n!) integral of t^n exp(-x t - t^2/2) obeys (n+1) M_{n+1} + x M_n = M_{n-1}, M_{-1} = 1, by parts. Below 8,
///          M(x + d) = sum of (-d)^n M_n(x), from a table of M_n; from 8 on M_n/M_{n-1} = 1/(x + (n+1) M_{n+1}/M_n), a continued fraction of
///          positive parts, which shrinks errors.
/// Domain   x >= 0 (a Ball: mid >= 0, rad <= 0.001 (1 + mid)). For x < 0 use M(x) = sqrt(2 pi) exp(x^2/2) - M(-x).
/// Error    2 ulp (proven: 4 units of 2^-53); the radius of the Ball adds what an uncertain x does.
/// Cost     12 products, or at most 17 quotients; no allocation. 20 to 90 ns.
/// Checked  tests/numeric/mills_test.cc, against MPFR.
double mills(double x);
Ball mills(const Ball& x);

/// M(m - h) - M(m + h) without cancellation.
/// Theorem  as above: = 2 sum over odd n of M_n(m) h^n, every term positive; below 8 expanded about the nearest row of the table.
/// Domain   m >= 0, 0 < h <= 1/16 (kMostGapHalf); Balls: radii at most 0.001 (1 + m) and 0.001 h.
/// Error    6 ulp of the gap (proven: 12 units of 2^-53); the radius of the Ball adds what uncertain arguments do.
/// Cost     15 steps of Clenshaw's recurrence, or at most 22 quotients; no allocation.
/// Checked  tests/numeric/mills_test.cc, against MPFR.
double mills_gap(double m, double h);
Ball mills_gap(const Ball& m, const Ball& h);
inline constexpr double kMostGapHalf = 0.0625;

}  // namespace tacet::numeric
