// tacet/base/decimal.h: exact decimal numbers, as people write budgets.
//
// A budget of 0.3 holds three charges of 0.1; binary fractions cannot say that, so amounts of privacy are decimals:
// an integer of any size times a power of ten. Sums, differences, products and comparisons are exact.
//
//   Decimal tenth = *Decimal::parse("0.1");
//   tenth + tenth + tenth == *Decimal::parse("0.3");   // true
//
// Domain   what parse accepts: digits with at most one point, an optional sign and an optional exponent ("1e-9"); the value is 0 or
//          from 1e-1000 up to (not including) 1e1001 in size, with at most 4000 digits, so that no input makes a number of absurd length.
// Error    none.        Cost   linear in the digits (the product: quadratic).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include <gmpxx.h>

#include "tacet/base/result.h"

namespace tacet {

class Decimal {
 public:
  Decimal() = default;  // 0
  explicit Decimal(long value) : coefficient_(value) { normalise(); }

  static Result<Decimal> parse(std::string_view text);
  /// The shortest decimal that reads back as this double, which is what a person who typed the number meant.
  /// Domain: finite values.
  static Result<Decimal> from_shortest(double value);

  /// Plain digits where they are few ("0.125"), scientific otherwise ("1e-300"). One value, one text, and parse() reads back every
  /// value that it can make; a sum or a product may have more digits than it takes.
  std::string to_string() const;
  /// As an exact rational.
  mpq_class to_rational() const;
  /// The nearest double, for display only: nothing that guards privacy is computed from it.
  double approximate() const;

  /// The decimal whose square it is, at least 0; nothing if there is none.
  std::optional<Decimal> exact_root() const;

  bool is_zero() const { return coefficient_ == 0; }
  bool is_positive() const { return coefficient_ > 0; }

  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator-(const Decimal& a, const Decimal& b);
  friend Decimal operator*(const Decimal& a, const Decimal& b);
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }

 private:
  Decimal(mpz_class coefficient, long exponent);
  void normalise();            // no trailing zeros in the coefficient
  mpz_class coefficient_ = 0;  // the value is coefficient_ * 10^exponent_
  long exponent_ = 0;
};

/// The nearest long double, up to a relative 2^-63. Domain: decimals between 1e-300 and 1e300, and 0.
long double to_long_double(const Decimal& value);

}  // namespace tacet
