// tacet/exact/fixed_point.h: rationals and roots in units of 2^-bits, with directed rounding.
//
//   mpz_class down = units_down(mpq_class(1, 3), 64);      // the largest integer <= 2^64/3
//   mpz_class root = root_units_up(mpq_class(2), 64);      // the least integer >= 2^64 sqrt(2)
// Domain   roots: values of at least 0.       Error  one-sided, below one unit.
// Checked  tests/exact/fixed_point_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::exact {

/// The least integer that is at least value/by (by > 0), or value/2^bits. GMP's `>>` rounds down,
/// and so does its `/` unless an operand is negative.
inline mpz_class divided_up(const mpz_class& value, const mpz_class& by) {
  mpz_class result;
  mpz_cdiv_q(result.get_mpz_t(), value.get_mpz_t(), by.get_mpz_t());
  return result;
}
inline mpz_class shifted_up(const mpz_class& value, unsigned long bits) { return -(-value >> bits); }

inline mpz_class units_up(const mpq_class& value, unsigned long bits) { return divided_up(value.get_num() << bits, value.get_den()); }
inline mpz_class units_down(const mpq_class& value, unsigned long bits) { return -units_up(-value, bits); }

inline mpz_class root_units_down(const mpq_class& square, unsigned long bits) { return sqrt(units_down(square, 2 * bits)); }

inline mpz_class root_units_up(const mpq_class& square, unsigned long bits) {
  const mpz_class target = units_up(square, 2 * bits);
  const mpz_class root = sqrt(target);
  return root * root < target ? mpz_class(root + 1) : root;
}

/// units 2^-bits, exactly.
inline mpq_class from_units(const mpz_class& units, unsigned long bits) {
  mpq_class result(units);
  mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), bits);
  return result;
}

}  // namespace tacet::exact
