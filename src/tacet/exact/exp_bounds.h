// tacet/exact/exp_bounds.h: integer bounds on exp(-t) at any precision.
//
//   ExpBounds b = exp_minus_bounds(3, 1, 64);      // t = 3/2
//   // b.lower <= exp(-3/2) 2^64 <= b.upper
// Domain   t = numerator / 2^shift >= 0.
// Error    outward: lower and upper enclose the true value; upper - lower <= 2^8 at any precision.
// Cost     about 2 microseconds at 100 bits; no floating-point number is formed.
// Checked  tests/exact/exp_bounds_test.cc, against MPFR.
// Derivation  docs/explanation/exact_enclosures.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::exact {

struct ExpBounds {
  mpz_class lower, upper;  // in units of 2^-precision
};

ExpBounds exp_minus_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

}  // namespace tacet::exact
