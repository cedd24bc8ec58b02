#include "tacet/base/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace tacet {
namespace {

constexpr std::size_t kMostCharacters = 8000;  // more than to_string writes
constexpr std::size_t kMostDigits = 4000;
constexpr long kLargestExponent = 1000;    // of the value in scientific notation
constexpr long kLargestWritten = 100'000;  // no digits can compensate for a larger exponent
constexpr std::size_t kShownCharacters = 40;
// With more zeros, scientific notation is easier to read.
constexpr long kMostPlainZeros = 12;

mpz_class power_of_ten(long exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(exponent));
  return power;
}

bool are_digits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

std::string shown(std::string_view text) {
  return fmt::format("\"{}{}\"", text.substr(0, kShownCharacters), text.size() > kShownCharacters ? "..." : "");
}

Error not_a_decimal(std::string_view text) {
  return Error::invalid("number", shown(text), "must be a decimal number", "for example: 0.5, 3 or 1e-9");
}

Error absurdly_long(std::string_view text) {
  return Error::invalid("number", shown(text), "must be 0 or lie between 1e-1000 and 1e1000 in size, and have at most 4000 digits");
}

}  // namespace

Decimal::Decimal(mpz_class coefficient, long exponent) : coefficient_(std::move(coefficient)), exponent_(exponent) { normalise(); }

void Decimal::normalise() {
  if (coefficient_ == 0) {
    exponent_ = 0;
    return;
  }
  static const mpz_class ten = 10;
  exponent_ += static_cast<long>(mpz_remove(coefficient_.get_mpz_t(), coefficient_.get_mpz_t(), ten.get_mpz_t()));
}

Result<Decimal> Decimal::parse(std::string_view text) {
  if (text.size() > kMostCharacters) return absurdly_long(text);
  std::string digits(text.substr(0, text.find_first_of("eE")));
  std::string_view power = text.substr(digits.size());  // with its e
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.erase(0, 1);
  long exponent = 0;
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    digits.erase(point, 1);
    exponent = static_cast<long>(point) - static_cast<long>(digits.size());
  }
  if (!are_digits(digits)) return not_a_decimal(text);
  if (!power.empty()) {
    power.remove_prefix(1);
    const bool below_one = power.starts_with('-');
    if (below_one || power.starts_with('+')) power.remove_prefix(1);
    if (!are_digits(power)) return not_a_decimal(text);
    long written = 0;
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), written);
    if (error != std::errc() || written > kLargestWritten) return absurdly_long(text);
    exponent += below_one ? -written : written;
  }
  mpz_class coefficient(digits, 10);
  Decimal value(negative ? mpz_class(-coefficient) : coefficient, exponent);
  if (value.is_zero()) return value;
  const std::size_t size = mpz_class(abs(value.coefficient_)).get_str().size();
  if (size > kMostDigits || std::labs(static_cast<long>(size) + value.exponent_ - 1) > kLargestExponent) return absurdly_long(text);
  return value;
}

Result<Decimal> Decimal::from_shortest(double value) {
  if (!std::isfinite(value)) return Error::invalid("number", fmt::format("{}", value), "must be finite");
  return parse(fmt::format("{}", value));
}

std::string Decimal::to_string() const {
  const bool negative = coefficient_ < 0;
  std::string digits = mpz_class(abs(coefficient_)).get_str();
  const long size = static_cast<long>(digits.size());
  const long point = size + exponent_;  // digits before the decimal point
  std::string text;
  if (exponent_ >= 0 && exponent_ <= kMostPlainZeros) {
    text = digits + std::string(static_cast<std::size_t>(exponent_), '0');
  } else if (exponent_ < 0 && point > 0) {
    text = digits.substr(0, static_cast<std::size_t>(point)) + "." + digits.substr(static_cast<std::size_t>(point));
  } else if (exponent_ < 0 && -point <= kMostPlainZeros) {
    text = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else {
    text = digits.substr(0, 1) + (size > 1 ? "." + digits.substr(1) : "") + fmt::format("e{}", point - 1);
  }
  return negative ? "-" + text : text;
}

mpq_class Decimal::to_rational() const {
  mpq_class rational =
      exponent_ >= 0 ? mpq_class(coefficient_ * power_of_ten(exponent_)) : mpq_class(coefficient_, power_of_ten(-exponent_));
  rational.canonicalize();
  return rational;
}

double Decimal::approximate() const {
  // Not strtod, whose decimal point depends on the locale.
  const std::string text = to_string();
  double nearest = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), nearest).ec == std::errc()) return nearest;
  const double beyond = abs(to_rational()) > 1 ? HUGE_VAL : 0.0;
  return coefficient_ < 0 ? -beyond : beyond;
}

std::optional<Decimal> Decimal::exact_root() const {
  // The coefficient has no trailing zeros, so the exponent of a square is even.
  if (exponent_ % 2 != 0 || mpz_perfect_square_p(coefficient_.get_mpz_t()) == 0) return std::nullopt;
  return Decimal(sqrt(coefficient_), exponent_ / 2);
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  const long exponent = std::min(a.exponent_, b.exponent_);
  return {a.coefficient_ * power_of_ten(a.exponent_ - exponent) + b.coefficient_ * power_of_ten(b.exponent_ - exponent), exponent};
}

Decimal operator-(const Decimal& a, const Decimal& b) { return a + Decimal(-b.coefficient_, b.exponent_); }

Decimal operator*(const Decimal& a, const Decimal& b) { return {a.coefficient_ * b.coefficient_, a.exponent_ + b.exponent_}; }

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) { return sgn((a - b).coefficient_) <=> 0; }

long double to_long_double(const Decimal& value) {
  const mpq_class rational = value.to_rational();
  const double high = rational.get_d();
  const mpq_class rest = rational - mpq_class(high);
  return static_cast<long double>(high) + static_cast<long double>(rest.get_d());
}

}  // namespace tacet
