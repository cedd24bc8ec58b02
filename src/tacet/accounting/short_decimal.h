// tacet/accounting/short_decimal.h: short decimals that are not above, or not below, a number.
//
//   Decimal third = short_decimal_up(mpq_class(1, 3), 4);          // 0.3334
//   Decimal less = short_decimal_down(mpq_class(2, 3), 4);         // 0.6666
//
// Domain   positive rationals between 1e-900 and 1e900; 1 to 100 digits.
// Error    one-sided: no decimal with that many significant digits lies between the result and the
//          value. A value with that many digits is returned unchanged.
// Cost     about a microsecond.
// Checked  tests/accounting/short_decimal_test.cc, against MPFR and by exact comparison.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include "tacet/base/decimal.h"

namespace tacet::accounting {

Decimal short_decimal_up(const mpq_class& value, int digits);
Decimal short_decimal_down(const mpq_class& value, int digits);
/// The distance of neighbouring decimals with `digits` digits at `value`: 0.0001 for 0.3334 and 4.
Decimal short_decimal_step(const mpq_class& value, int digits);

}  // namespace tacet::accounting
