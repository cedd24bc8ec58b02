// tacet/exact/rounding.h: doubles on the safe side of an exact number.
//
//   double s = least_double_at_least(mpq_class(2) / epsilon);      // s >= 2/epsilon, and no smaller double is
//   double t = least_double_root_at_least(mpq_class(2) / mu_sq);   // t^2 >= 2/mu^2, and no smaller double is
//   double d = greatest_double_at_most(delta);                     // d <= delta, and no larger double is
//
// Domain   positive rationals whose result is a normal double (2^-1022 to 2^1023); otherwise +infinity (the last: 0).
// Error    none: the comparison that decides is between exact rationals.
// Checked  tests/exact/rounding_test.cc, against MPFR rounding upwards or downwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::exact {

double least_double_at_least(const mpq_class& value);
double least_double_root_at_least(const mpq_class& square);
double greatest_double_at_most(const mpq_class& value);

/// The least double that is at least a/b, or at least a b: fma gives the exact sign of what rounding left out. No allocation.
/// Domain: a and b positive; a, b and the result between 2^-900 and 2^900, so that what rounding left out does not underflow.
double quotient_up(double a, double b);
double product_up(double a, double b);

}  // namespace tacet::exact
