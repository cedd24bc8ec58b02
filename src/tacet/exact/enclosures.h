// tacet/exact/enclosures.h: integer bounds on exp(-t) and normal probabilities, at any precision.
//
//   Enclosure e = exp_minus_bounds(3, 1, 64);             // e.lower <= exp(-3/2) 2^64 <= e.upper
//   Enclosure b = normal_lower_bounds(-3, 1, 64);         // b.lower <= Phi(-3/2) 2^64 <= b.upper
//
// For decisions that must not depend on the accuracy of exp or erfc; otherwise use numeric/.
// Source   DLMF 7.6.2 (series), DLMF 7.9.2 (Laplace's continued fraction), Machin 1706 (pi).
// Domain   numerator / 2^shift: t >= 0, x of either sign.
// Error    outward: lower and upper enclose the true value; no floating-point number is formed.
// Checked  tests/exact/*_bounds_test.cc, by MPFR   Derivation  docs/explanation/exact_enclosures.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::exact {

struct Enclosure {
  mpz_class lower, upper;  // in units of 2^-precision
};

/// exp(-t). upper - lower <= 2^8 at any precision.     Cost  about 2 microseconds at 100 bits.
Enclosure exp_minus_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

/// Phi(x) = P[Z <= x], Z standard normal. For the upper tail call it with -x. upper - lower <= 4 at
/// any precision.     Cost  about 10 microseconds at |x| <= 5 and 128 bits.
Enclosure normal_lower_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

/// Phi(-x) exp(x^2/2) for x >= 0. It falls from 1/2 like 0.4/x; the cost does not depend on x.
Enclosure scaled_tail_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

}  // namespace tacet::exact
