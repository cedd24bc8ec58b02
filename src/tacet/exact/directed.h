// tacet/exact/directed.h: sums, products, quotients and roots of doubles, rounded in the direction that the name says.
//
//   double total = add_up(total, loss);         // the least double >= total + loss
//   double upper = enlarged(value, 0x1p-58L);   // the least double >= value (1 + 2^-58), for a long double known to that error
//
// Losses are added with add_up, never to nearest. The exact error of an operation is found by Dekker's and Knuth's error-free
// transformations, so the rounding mode of the processor is left alone.
//
// Domain   finite operands; quotients and roots of positive numbers (root: also 0). Products and quotients: results in the normal range,
//          or 0 from an operand 0; a smaller result is returned as a bound that is not the closest one.
// Error    one-sided: the closest double on the named side; +infinity (up) where none is finite.
// Cost     a few operations, no branch on the rounding mode.
// Checked  tests/exact/directed_test.cc: 10^6 random pairs of each against MPFR, and the ends of the range.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfloat>
#include <cmath>
#include <limits>

namespace tacet::exact {

static_assert(FLT_EVAL_METHOD == 0, "doubles must be rounded to double by every operation");
static_assert(std::numeric_limits<long double>::digits >= 64, "the long double of this platform has too few digits for the stated errors");

inline double next_up(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }
inline double next_down(double x) { return std::nextafter(x, -std::numeric_limits<double>::infinity()); }

namespace directed_detail {
/// The part of a + b that the rounded sum leaves out; exact (Knuth 1969).
inline double sum_error(double a, double b, double sum) {
  const double from_b = sum - a;
  return (a - (sum - from_b)) + (b - from_b);
}
/// `nearest` moved to the named side when `error`, which has the sign of (exact - nearest), says so.
inline double up(double nearest, double error) { return error > 0 ? next_up(nearest) : nearest; }
inline double down(double nearest, double error) { return error < 0 ? next_down(nearest) : nearest; }
/// Below this size a fused remainder may itself underflow; then one step in the named direction is always taken.
inline constexpr double kSafe = 0x1p-960;
}  // namespace directed_detail

/// The least double >= a + b. Privacy loss is only ever added with this.
inline double add_up(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum > 0 ? sum : -std::numeric_limits<double>::max();
  return directed_detail::up(sum, directed_detail::sum_error(a, b, sum));
}
/// The largest double <= a + b.
inline double add_down(double a, double b) { return -add_up(-a, -b); }

/// The least double >= a b.
inline double multiply_up(double a, double b) {
  if (a == 0 || b == 0) return 0;
  const double product = a * b;
  if (!std::isfinite(product)) return product > 0 ? product : -std::numeric_limits<double>::max();
  if (std::abs(product) < directed_detail::kSafe) return next_up(product);
  return directed_detail::up(product, std::fma(a, b, -product));
}
/// The largest double <= a b.
inline double multiply_down(double a, double b) { return -multiply_up(-a, b); }

/// The least double >= a / b, for b > 0.
inline double divide_up(double a, double b) {
  if (a == 0) return 0;
  const double quotient = a / b;
  if (!std::isfinite(quotient)) return quotient > 0 ? quotient : -std::numeric_limits<double>::max();
  if (std::abs(quotient) < directed_detail::kSafe || std::abs(a) < directed_detail::kSafe) return next_up(quotient);
  return directed_detail::up(quotient, -std::fma(quotient, b, -a));
}
/// The largest double <= a / b, for b > 0.
inline double divide_down(double a, double b) { return -divide_up(-a, b); }

/// The least double >= sqrt(a), and the largest <= sqrt(a), for a >= 0.
inline double sqrt_up(double a) {
  if (a == 0) return 0;
  const double root = std::sqrt(a);
  if (a < directed_detail::kSafe) return next_up(root);
  return directed_detail::up(root, -std::fma(root, root, -a));
}
inline double sqrt_down(double a) {
  if (a == 0) return 0;
  const double root = std::sqrt(a);
  if (a < directed_detail::kSafe) return next_down(root);
  return directed_detail::down(root, -std::fma(root, root, -a));
}

/// For a value >= 0 computed in long double with a relative error of at most `error` <= 2^-20: a double not below, or not above, the exact
/// one, and within twice the error and one rounding of it. `enlarged` of a value that underflows is the least positive double.
inline double enlarged(long double value, long double error) {
  const long double raised = value + 2 * value * error;
  const double nearest = static_cast<double>(raised);
  if (value > 0 && nearest == 0) return std::numeric_limits<double>::denorm_min();
  return static_cast<long double>(nearest) < raised ? next_up(nearest) : nearest;
}
inline double reduced(long double value, long double error) {
  const long double lowered = value - 2 * value * error;
  const double nearest = static_cast<double>(lowered);
  if (!std::isfinite(nearest)) return std::numeric_limits<double>::max();
  return static_cast<long double>(nearest) > lowered ? next_down(nearest) : nearest;
}

}  // namespace tacet::exact
