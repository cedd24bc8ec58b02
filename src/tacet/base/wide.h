// tacet/base/wide.h: 128-bit integers, and sums and products that report overflow.
//
//   std::optional<Int128> sum = checked_add(Int128{1} << 126, Int128{1} << 126);   // empty
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace tacet {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// The exact decimal digits.
inline std::string to_string(Int128 value) { return fmt::format("{}", value); }

/// a + b and a * b; empty if the result does not fit.
template <class Integer>
constexpr std::optional<Integer> checked_add(Integer a, Integer b) {
  Integer sum{};
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}
template <class Integer>
constexpr std::optional<Integer> checked_multiply(Integer a, Integer b) {
  Integer product{};
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

}  // namespace tacet
