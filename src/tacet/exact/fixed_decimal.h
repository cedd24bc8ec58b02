// tacet/exact/fixed_decimal.h: totals of losses, added exactly, in decimals that a ledger can store.
//
// A FixedDecimal is an integer in units of 10^-40, so that 0.1 + 0.1 + 0.1 is 0.3, ten million additions lose nothing, and the text of a
// total is the total.
//
//   FixedDecimal tenth = FixedDecimal::at_least(*Decimal::parse("0.1"));
//   FixedDecimal total = tenth + tenth + tenth;           // total.to_string() == "0.3"
//
// Domain   0 <= value < 2^255 10^-40 (5.8e36). A larger one, and every sum with it, is `unlimited()`: above every other, so that a filter stops.
// Error    making one rounds in the direction of its name to a multiple of 10^-40 (decimals with at most 40 digits after the point are
//          exact); sums are exact.
// Cost     a sum or comparison: some tens of nanoseconds (bench/composition_bench.cc). Making one: about a microsecond.
// Checked  tests/exact/fixed_decimal_test.cc, against rationals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include <gmpxx.h>

#include "tacet/base/decimal.h"

namespace tacet::exact {

class FixedDecimal {
 public:
  FixedDecimal() = default;  // 0

  /// The least multiple of 10^-40 that is at least `value`, which is not negative.
  static FixedDecimal at_least(const mpq_class& value);
  static FixedDecimal at_least(const Decimal& value) { return at_least(value.to_rational()); }
  /// The largest that is at most `value`; never unlimited, so that no threshold is.
  static FixedDecimal at_most(const mpq_class& value);
  static FixedDecimal at_most(const Decimal& value) { return at_most(value.to_rational()); }
  static FixedDecimal unlimited();

  /// Exact, in plain digits ("0.3", "unlimited").
  std::string to_string() const;

  bool is_unlimited() const;
  bool is_zero() const { return units_ == 0; }
  /// Rounded: relative error below 2^-60; infinity when unlimited.
  long double approximate() const;

  FixedDecimal& operator+=(const FixedDecimal& other);
  friend FixedDecimal operator+(FixedDecimal a, const FixedDecimal& b) { return a += b; }
  /// The sum of `times` of them, exactly.
  FixedDecimal times(std::uint64_t times) const { return FixedDecimal(units_ * mpz_class(times)); }

  friend std::strong_ordering operator<=>(const FixedDecimal& a, const FixedDecimal& b) { return cmp(a.units_, b.units_) <=> 0; }
  friend bool operator==(const FixedDecimal& a, const FixedDecimal& b) { return a.units_ == b.units_; }

 private:
  explicit FixedDecimal(const mpz_class& units);  // as if unlimited, if there are too many
  mpz_class units_;                               // of 10^-40; 2^255 when unlimited
};

}  // namespace tacet::exact
