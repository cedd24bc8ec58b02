// tacet/base/decimal.h: exact decimal numbers, as people write budgets.
//
// A budget of 0.3 pays three charges of 0.1, which binary fractions cannot represent. So amounts
// of privacy are decimals: an integer of any size times a power of ten. All operations are exact.
//   Decimal tenth = *Decimal::parse("0.1");
//   tenth + tenth + tenth == *Decimal::parse("0.3");   // true
// Domain   parse: digits with at most one point, an optional sign and exponent ("1e-9"); 0, or a
//          size from 1e-1000 up to (not including) 1e1001; at most 4000 digits.
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
  Decimal(mpz_class coefficient, long exponent);  // coefficient * 10^exponent

  static Result<Decimal> parse(std::string_view text);
  /// The shortest decimal that reads back as this double: what a person typed. Finite values only.
  static Result<Decimal> from_shortest(double value);

  /// Plain digits if they are few ("0.125"), otherwise scientific ("1e-300"). One value has one
  /// text. parse() reads it back, unless a sum or product has too many digits.
  std::string to_string() const;
  /// As an exact rational.
  mpq_class to_rational() const;
  /// The nearest double, for display only: no privacy check uses it.
  double approximate() const;

  /// The decimal >= 0 with this square; empty if there is none.
  std::optional<Decimal> exact_root() const;

  bool is_zero() const { return coefficient_ == 0; }
  bool is_positive() const { return coefficient_ > 0; }

  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator-(const Decimal& a, const Decimal& b);
  friend Decimal operator*(const Decimal& a, const Decimal& b);
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }

 private:
  void normalise();            // no trailing zeros in the coefficient
  mpz_class coefficient_ = 0;  // the value is coefficient_ * 10^exponent_
  long exponent_ = 0;
};

/// The nearest long double, up to a relative 2^-63. Domain: 0, and 1e-300 to 1e300.
long double to_long_double(const Decimal& value);

}  // namespace tacet
