// tests/data/special_doubles.h: the doubles that are no number of anybody.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace tacet::data {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace tacet::data
