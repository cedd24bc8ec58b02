// tacet/numeric/mills.h: Mills' ratio of the normal distribution and its differences, with bounds.
//
// M(x) = Q(x)/phi(x) = integral over t > 0 of exp(-x t - t^2/2), with Q = 1 - Phi the upper tail
// and phi the density. M is smooth, positive and decreasing, about 1/x for large x. So tails of
// any depth are computed without underflow: log Q(x) = -x^2/2 - log sqrt(2 pi) + log M(x).
//
//   mills(37.0);                     // a double, to a few ulp
//   mills(Ball(37.0));               // the same with a proven radius
//   mills_gap(2.0, 0.01);            // M(1.99) - M(2.01), to a few ulp of the gap
//
// Derivation  docs/explanation/mills_ratio.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/numeric/ball.h"

namespace tacet::numeric {

/// Mills' ratio (1 - Phi(x)) / phi(x).
/// Theorem  M_n(x) = (1/n!) integral of t^n exp(-x t - t^2/2) satisfies (n+1) M_{n+1} + x
///          M_n = M_{n-1} with M_{-1} = 1 (by parts). For x < 8 a Taylor series about a row of a
///          table; from 8 on the continued fraction M_n/M_{n-1} = 1/(x + (n+1) M_{n+1}/M_n).
/// Domain   x >= 0 (a Ball: mid >= 0, rad <= 0.001 (1 + mid)). For x < 0 use M(x) = sqrt(2 pi)
///          exp(x^2/2) - M(-x).
/// Error    2 ulp (proven: 4 units of 2^-53); the radius of a Ball adds the effect of an uncertain
///          x.
/// Cost     12 products, or at most 17 quotients; no allocation. 20 to 90 ns.
/// Checked  tests/numeric/mills_test.cc, against MPFR.
double mills(double x);
Ball mills(const Ball& x);

/// M(m - h) - M(m + h) without cancellation.
/// Theorem  M(m - h) - M(m + h) = 2 (sum over odd n of M_n(m) h^n), all terms positive; for m < 8
///          expanded about the nearest row of the table.
/// Domain   m >= 0, 0 < h <= 1/16 (kMostGapHalf); Balls: radii at most 0.001 (1 + m) and 0.001 h.
/// Error    6 ulp of the gap (proven: 12 units of 2^-53); a Ball adds the effect of uncertain
///          arguments.
/// Cost     15 steps of Clenshaw's recurrence, or at most 22 quotients; no allocation.
/// Checked  tests/numeric/mills_test.cc, against MPFR.
double mills_gap(double m, double h);
Ball mills_gap(const Ball& m, const Ball& h);
inline constexpr double kMostGapHalf = 0.0625;

}  // namespace tacet::numeric
