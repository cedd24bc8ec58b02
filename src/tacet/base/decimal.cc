#include "tacet/base/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace tacet {
namespace {

constexpr std::size_t kMostCharacters = 4000;
constexpr long kLargestExponent = 1000;
constexpr std::size_t kShownCharacters = 40;
// Beyond this many zeros, scientific notation is the more readable one.
constexpr long kMostPlainZeros = 12;

mpz_class power_of_ten(long exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(exponent));
  return power;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Error not_a_decimal(std::string_view text) {
  std::string shown(text.substr(0, kShownCharacters));
  return Error::invalid("number", fmt::format("\"{}\"", shown), "must be a decimal number", "for example: 0.5, 3 or 1e-9");
}

}  // namespace

Decimal::Decimal(mpz_class coefficient, long exponent) : coefficient_(std::move(coefficient)), exponent_(exponent) { normalise(); }

void Decimal::normalise() {
  if (coefficient_ == 0) {
    exponent_ = 0;
    return;
  }
  while (mpz_divisible_ui_p(coefficient_.get_mpz_t(), 10) != 0) {
    mpz_divexact_ui(coefficient_.get_mpz_t(), coefficient_.get_mpz_t(), 10);
    ++exponent_;
  }
}

Result<Decimal> Decimal::parse(std::string_view text) {
  if (text.empty() || text.size() > kMostCharacters) return not_a_decimal(text);
  std::size_t at = 0;
  const bool negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') ++at;
  std::string digits;
  long exponent = 0;
  bool seen_point = false;
  for (; at < text.size() && (is_digit(text[at]) || text[at] == '.'); ++at) {
    if (text[at] == '.') {
      if (seen_point) return not_a_decimal(text);
      seen_point = true;
    } else {
      digits.push_back(text[at]);
      if (seen_point) --exponent;
    }
  }
  if (digits.empty()) return not_a_decimal(text);
  if (at < text.size()) {
    if (text[at] != 'e' && text[at] != 'E') return not_a_decimal(text);
    ++at;
    if (at < text.size() && text[at] == '+') ++at;
    long written = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), written);
    if (error != std::errc() || end != text.data() + text.size() || std::labs(written) > kLargestExponent) return not_a_decimal(text);
    exponent += written;
  }
  mpz_class coefficient(digits, 10);
  return Decimal(negative ? mpz_class(-coefficient) : coefficient, exponent);
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

double Decimal::approximate() const { return std::strtod(to_string().c_str(), nullptr); }

Decimal operator+(const Decimal& a, const Decimal& b) {
  const long exponent = std::min(a.exponent_, b.exponent_);
  return {a.coefficient_ * power_of_ten(a.exponent_ - exponent) + b.coefficient_ * power_of_ten(b.exponent_ - exponent), exponent};
}

Decimal operator-(const Decimal& a, const Decimal& b) { return a + Decimal(-b.coefficient_, b.exponent_); }

Decimal operator*(const Decimal& a, const Decimal& b) { return {a.coefficient_ * b.coefficient_, a.exponent_ + b.exponent_}; }

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) { return sgn((a - b).coefficient_) <=> 0; }

}  // namespace tacet
