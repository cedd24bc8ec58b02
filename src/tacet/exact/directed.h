// tacet/exact/directed.h: converts a long double with a known error to a double on one side.
//
//   double upper = enlarged(0.1L, 0x1p-58L);    // not below 0.1 (1 + 2^-58)
// Error    one-sided: within twice the error and one rounding of the exact value.
// Checked  tests/exact/directed_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

namespace tacet::exact {

static_assert(std::numeric_limits<long double>::digits >= 64, "the long double of this platform has too few digits for the stated errors");

/// `value` >= 0 has a relative error of at most `error` <= 2^-20. The result is not below
/// (enlarged) or not above (reduced) the exact value. An enlarged underflow is the least double.
inline double enlarged(long double value, long double error) {
  const long double raised = value + 2 * value * error;
  const double nearest = static_cast<double>(raised);
  if (value > 0 && nearest == 0) return std::numeric_limits<double>::denorm_min();
  return static_cast<long double>(nearest) < raised ? std::nextafter(nearest, std::numeric_limits<double>::infinity()) : nearest;
}
inline double reduced(long double value, long double error) {
  const long double lowered = value - 2 * value * error;
  const double nearest = static_cast<double>(lowered);
  if (!std::isfinite(nearest)) return std::numeric_limits<double>::max();
  return static_cast<long double>(nearest) > lowered ? std::nextafter(nearest, -std::numeric_limits<double>::infinity()) : nearest;
}

}  // namespace tacet::exact
