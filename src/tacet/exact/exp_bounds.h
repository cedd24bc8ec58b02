// tacet/exact/exp_bounds.h: integers on both sides of exp(-t), as close together as asked.
//
//   ExpBounds b = exp_minus_bounds(3, 1, 64);      // t = 3/2
//   // b.lower <= exp(-3/2) 2^64 <= b.upper
//
// Domain   t = numerator / 2^shift >= 0.
// Error    outward: lower and upper enclose the true value, and upper - lower <= 2^8 at any precision.
// Cost     about 2 microseconds at 100 bits; no floating-point number is formed.
// Checked  tests/exact/exp_bounds_test.cc, against MPFR.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::exact {

struct ExpBounds {
  mpz_class lower, upper;  // in units of 2^-precision
};

ExpBounds exp_minus_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision);

}  // namespace tacet::exact
