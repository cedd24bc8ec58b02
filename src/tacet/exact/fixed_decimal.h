// tacet/exact/fixed_decimal.h: totals of losses, added exactly in a few nanoseconds, in decimals that a ledger can store.
//
// A FixedDecimal is an integer of 256 bits in units of 10^-40, so that 0.1 + 0.1 + 0.1 is 0.3, ten million additions lose nothing, and the
// text of a total is the total.
//
//   FixedDecimal tenth = FixedDecimal::at_least(*Decimal::parse("0.1"));
//   FixedDecimal total = tenth + tenth + tenth;           // total.to_string() == "0.3"
//
// Domain   0 <= value < 10^37. A larger one, and every sum with it, is `unlimited()`: above every other, so that a filter stops.
// Error    making one rounds up to the next multiple of 10^-40 (none for decimals with at most 40 digits after the point); sums are
//          exact.
// Cost     a sum or comparison: four words, no allocation (bench/composition_bench.cc). Making one: about a microsecond.
// Checked  tests/exact/fixed_decimal_test.cc, against rationals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/base/wide.h"

namespace tacet::exact {

class FixedDecimal {
 public:
  constexpr FixedDecimal() = default;  // 0

  /// The least multiple of 10^-40 that is at least `value`, which is not negative.
  static FixedDecimal at_least(const Decimal& value);
  static FixedDecimal at_least(const mpq_class& value);
  /// The same for value (1 + 2 error): what a long double known to the relative error `error` may be at most.
  static FixedDecimal at_least(long double value, long double error);
  /// The largest multiple of 10^-40 that is at most value (1 - 2 error).
  static FixedDecimal at_most(long double value, long double error);
  static FixedDecimal at_most(const Decimal& value);
  static constexpr FixedDecimal unlimited() {
    FixedDecimal result;
    result.words_ = {~0ULL, ~0ULL, ~0ULL, ~0ULL};
    return result;
  }

  /// Exact, in plain digits ("0.3", "unlimited"); parse() reads it back and refuses what is no multiple of 10^-40.
  std::string to_string() const;
  static Result<FixedDecimal> parse(std::string_view text);

  bool is_unlimited() const { return (words_[0] & words_[1] & words_[2] & words_[3]) == ~0ULL; }
  bool is_zero() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  /// Rounded: relative error below 2^-60; infinity when unlimited.
  long double approximate() const;

  friend FixedDecimal operator+(const FixedDecimal& a, const FixedDecimal& b) {
    FixedDecimal sum;
    UInt128 carry = 0;
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
      carry += static_cast<UInt128>(a.words_[i]) + b.words_[i];
      sum.words_[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    if (carry != 0 || a.is_unlimited() || b.is_unlimited() || sum.words_[3] >= kTooLarge) [[unlikely]]
      return unlimited();
    return sum;
  }
  FixedDecimal& operator+=(const FixedDecimal& other) { return *this = *this + other; }
  /// The sum of `times` of them, exactly.
  FixedDecimal times(std::uint64_t times) const;

  friend std::strong_ordering operator<=>(const FixedDecimal& a, const FixedDecimal& b) {
    for (std::size_t i = a.words_.size(); i-- > 0;) {
      if (a.words_[i] != b.words_[i]) return a.words_[i] <=> b.words_[i];
    }
    return std::strong_ordering::equal;
  }
  friend bool operator==(const FixedDecimal& a, const FixedDecimal& b) = default;

 private:
  static FixedDecimal from_integer(const mpz_class& units);
  mpz_class to_integer() const;
  static constexpr std::uint64_t kTooLarge = 1ULL << 63;  // 2^255 units are 5.8e36
  std::array<std::uint64_t, 4> words_{};                  // least significant first
};

}  // namespace tacet::exact
