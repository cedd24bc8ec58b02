// tacet/exact/normal_bounds.h: integer bounds on a normal probability at any precision.
//
//   NormalBounds b = normal_lower_bounds(-3, 1, 64);      // x = -3/2
//   // b.lower <= Phi(-3/2) 2^64 <= b.upper
//
// For decisions that must not depend on the accuracy of erfc; otherwise use numeric/.
// Source   DLMF 7.6.2 (series), DLMF 7.9.2 (Laplace's continued fraction), Machin 1706 (pi).
// Domain   x = numerator / 2^shift of either sign.
// Error    outward: lower and upper enclose the true value, upper - lower <= 4 at any precision.
// Cost     about 10 microseconds at |x| <= 5 and 128 bits; no floating point in a bound.
// Checked  tests/exact/normal_bounds_test.cc, against MPFR.
// Derivation  docs/explanation/exact_enclosures.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::exact {

struct NormalBounds {
  mpz_class lower, upper;  // in units of 2^-precision
};

/// Phi(x) = P[Z <= x], Z standard normal. For the upper tail call it with -x.
NormalBounds normal_lower_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

/// Phi(-x) exp(x^2/2) for x >= 0. It falls from 1/2 like 0.4/x; the cost does not depend on x.
NormalBounds scaled_tail_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

}  // namespace tacet::exact
