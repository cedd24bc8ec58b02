// tacet/accounting/short_decimal.h: decimals of a few digits on the safe side of an exact number.
//
//   Decimal third = short_decimal_up(mpq_class(1, 3), 4);          // 0.3334
//   Decimal less = short_decimal_down(mpq_class(2, 3), 4);         // 0.6666
//
// Domain   positive rationals between 1e-900 and 1e900; 1 to 100 digits.
// Error    one-sided: no decimal of so many significant digits lies between the result and the value. A value that is one is kept.
// Cost     about a microsecond.        Checked  tests/accounting/short_decimal_test.cc, against MPFR and by exact comparison.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include "tacet/base/decimal.h"

namespace tacet::accounting {

Decimal short_decimal_up(const mpq_class& value, int digits);
Decimal short_decimal_down(const mpq_class& value, int digits);
/// How far apart decimals of so many digits are at `value`: 0.0001 for 0.3334 and four digits.
Decimal short_decimal_step(const mpq_class& value, int digits);

}  // namespace tacet::accounting
