// tacet/exact/fixed_decimal.h: exact totals of privacy losses, as decimals in plain digits.
//
// A FixedDecimal is an integer in units of 10^-40. So 0.1 + 0.1 + 0.1 is exactly 0.3, ten million
// additions lose nothing, and the text of a total is its exact value.
//   FixedDecimal tenth = FixedDecimal::at_least(*Decimal::parse("0.1"));
//   FixedDecimal total = tenth + tenth + tenth;           // total.to_string() == "0.3"
// Domain   0 <= value < 2^255 10^-40 (5.8e36). Larger values and sums are `unlimited()`, which
//          exceeds every other value, so that a filter stops.
// Error    construction rounds in the direction of its name to a multiple of 10^-40; decimals with
//          at most 40 digits after the point are exact. Sums are exact.
// Cost     tens of nanoseconds (bench/composition_bench.cc); construction: about a microsecond.
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

  /// The least multiple of 10^-40 that is at least `value`. Domain: value >= 0.
  static FixedDecimal at_least(const mpq_class& value);
  static FixedDecimal at_least(const Decimal& value) { return at_least(value.to_rational()); }
  /// The largest multiple that is at most `value`. It is never unlimited, so no threshold is.
  static FixedDecimal at_most(const mpq_class& value);
  static FixedDecimal at_most(const Decimal& value) { return at_most(value.to_rational()); }
  static FixedDecimal unlimited();
  /// units * 10^-40.
  static FixedDecimal of_units(const mpz_class& units) { return FixedDecimal(units); }

  /// Exact, in plain digits ("0.3"), or "unlimited".
  std::string to_string() const;

  bool is_unlimited() const;
  bool is_zero() const { return units_ == 0; }
  /// Rounded: relative error below 2^-60; infinity when unlimited.
  long double approximate() const;

  FixedDecimal& operator+=(const FixedDecimal& other);
  friend FixedDecimal operator+(FixedDecimal a, const FixedDecimal& b) { return a += b; }
  /// The exact product with `times`.
  FixedDecimal times(std::uint64_t times) const { return FixedDecimal(units_ * mpz_class(times)); }

  friend std::strong_ordering operator<=>(const FixedDecimal& a, const FixedDecimal& b) { return cmp(a.units_, b.units_) <=> 0; }
  friend bool operator==(const FixedDecimal& a, const FixedDecimal& b) { return a.units_ == b.units_; }

 private:
  explicit FixedDecimal(const mpz_class& units);  // too many units: unlimited
  mpz_class units_;                               // of 10^-40; 2^255 when unlimited
};

}  // namespace tacet::exact
