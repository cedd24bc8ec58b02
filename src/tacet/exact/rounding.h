// tacet/exact/rounding.h: the nearest double on a named side of an exact number.
//
//   double s = least_double_at_least(mpq_class(2, 3));           // the least double s >= 2/3
//   double t = least_double_root_at_least(mpq_class(2, 3));      // the least double t, t^2 >= 2/3
//   double d = greatest_double_at_most(mpq_class(2, 3));         // the greatest double d <= 2/3
// Domain   positive, with a result in [2^-1022, 2^1023]; otherwise +infinity (the last: 0).
// Error    none: exact rationals are compared.
// Checked  tests/exact/rounding_test.cc, against MPFR rounding upwards or downwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::exact {

double least_double_at_least(const mpq_class& value);
double least_double_root_at_least(const mpq_class& square);
double greatest_double_at_most(const mpq_class& value);

/// The least double that is at least a/b, or a b. fma gives the sign of the error; no allocation.
/// Domain: a, b and the result between 2^-900 and 2^900, so that the error does not underflow.
double quotient_up(double a, double b);
double product_up(double a, double b);

}  // namespace tacet::exact
