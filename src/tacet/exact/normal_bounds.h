// tacet/exact/normal_bounds.h: integers on both sides of a normal probability, as close together as asked.
//
//   NormalBounds b = normal_lower_bounds(-3, 1, 64);      // x = -3/2
//   // b.lower <= Phi(-3/2) 2^64 <= b.upper
//
// For decisions that must not depend on how well erfc was programmed. For everyday numbers ask numeric/.
//
// Theorem  Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...), DLMF 7.6.2: a series of positive terms for x > 0. pi is Machin's (1706).
//          Far out, Laplace's fraction: Phi(-x)/phi(x) = 1/(x + 1/(x + 2/(x + 3/(x + ...)))), DLMF 7.9.2; from any level on, what follows
//          is more than x, and each level falls with the next, so that bounds on one are bounds on all.
// Domain   x = numerator / 2^shift of either sign.
// Error    outward: lower and upper enclose the true value, and upper - lower <= 4 at any precision.
// Cost     about 10 microseconds at |x| <= 5 and 128 bits; no floating-point number enters a bound.
// Checked  tests/exact/normal_bounds_test.cc, against MPFR.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::exact {

struct NormalBounds {
  mpz_class lower, upper;  // in units of 2^-precision
};

/// Phi(x) = P[Z <= x]. For the upper tail ask at -x.
NormalBounds normal_lower_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

/// Phi(-x) exp(x^2/2) for x >= 0: a tail without its exponential, which falls from 1/2 like 0.4/x. Small or large x cost the same.
NormalBounds scaled_tail_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

}  // namespace tacet::exact
