#include "tacet/exact/fixed_decimal.h"

#include <cmath>
#include <limits>

#include <gmpxx.h>

namespace tacet::exact {
namespace {

constexpr unsigned long kDigits = 40;
constexpr std::string_view kUnlimited = "unlimited";

const mpz_class& scale() {
  static const mpz_class power = [] {
    mpz_class result;
    mpz_ui_pow_ui(result.get_mpz_t(), 10, kDigits);
    return result;
  }();
  return power;
}

enum class Way : std::uint8_t { Up, Down };

mpz_class divided(const mpz_class& numerator, const mpz_class& denominator, Way way) {
  mpz_class result;
  if (way == Way::Up) {
    mpz_cdiv_q(result.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
  } else {
    mpz_fdiv_q(result.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
  }
  return result;
}

mpz_class units_of(const mpq_class& value, Way way) { return divided(value.get_num() * scale(), value.get_den(), way); }

/// value 10^40 for a finite value >= 0, exactly up to the rounding to an integer.
mpz_class units_of(long double value, Way way) {
  int exponent = 0;
  const long double significand = std::frexp(value, &exponent);  // value = significand 2^exponent
  const auto word = static_cast<std::uint64_t>(std::ldexp(significand, 64));
  mpz_class numerator;
  mpz_import(numerator.get_mpz_t(), 1, 1, sizeof word, 0, 0, &word);
  numerator *= scale();
  const int shift = exponent - 64;
  mpz_class result;
  if (shift >= 0) {
    mpz_mul_2exp(result.get_mpz_t(), numerator.get_mpz_t(), static_cast<mp_bitcnt_t>(shift));
  } else if (way == Way::Up) {
    mpz_cdiv_q_2exp(result.get_mpz_t(), numerator.get_mpz_t(), static_cast<mp_bitcnt_t>(-shift));
  } else {
    mpz_fdiv_q_2exp(result.get_mpz_t(), numerator.get_mpz_t(), static_cast<mp_bitcnt_t>(-shift));
  }
  return result;
}

}  // namespace

FixedDecimal FixedDecimal::from_integer(const mpz_class& units) {
  if (mpz_sizeinbase(units.get_mpz_t(), 2) > 255) return unlimited();
  FixedDecimal result;
  std::size_t count = 0;
  mpz_export(result.words_.data(), &count, -1, sizeof(std::uint64_t), 0, 0, units.get_mpz_t());
  return result;
}

mpz_class FixedDecimal::to_integer() const {
  mpz_class units;
  mpz_import(units.get_mpz_t(), words_.size(), -1, sizeof(std::uint64_t), 0, 0, words_.data());
  return units;
}

FixedDecimal FixedDecimal::at_least(const mpq_class& value) { return from_integer(units_of(value, Way::Up)); }
FixedDecimal FixedDecimal::at_least(const Decimal& value) { return at_least(value.to_rational()); }
FixedDecimal FixedDecimal::at_most(const Decimal& value) { return from_integer(units_of(value.to_rational(), Way::Down)); }

FixedDecimal FixedDecimal::at_least(long double value, long double error) {
  // The product may round down by 2^-64 relative, which the factor 2 before the error covers for error >= 2^-63.
  const long double raised = value + 2 * value * error;
  return raised < 1e37L ? from_integer(units_of(raised, Way::Up)) : unlimited();  // also NaN
}

FixedDecimal FixedDecimal::at_most(long double value, long double error) {
  const long double lowered = value - 2 * value * error;
  if (!(lowered > 0)) return {};
  return from_integer(units_of(std::fmin(lowered, 5e36L), Way::Down));
}

FixedDecimal FixedDecimal::times(std::uint64_t times) const {
  if (is_unlimited() && times > 0) return unlimited();
  FixedDecimal product;
  UInt128 carry = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    carry += static_cast<UInt128>(words_[i]) * times;
    product.words_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return carry != 0 || product.words_[3] >= kTooLarge ? unlimited() : product;
}

long double FixedDecimal::approximate() const {
  if (is_unlimited()) return std::numeric_limits<long double>::infinity();
  long double sum = 0;
  for (std::size_t i = words_.size(); i-- > 0;) sum = sum * 0x1p64L + static_cast<long double>(words_[i]);
  return sum / 1e40L;
}

std::string FixedDecimal::to_string() const {
  if (is_unlimited()) return std::string(kUnlimited);
  std::string digits = to_integer().get_str();
  if (digits.size() <= kDigits) digits.insert(0, kDigits + 1 - digits.size(), '0');
  std::string text = digits.substr(0, digits.size() - kDigits) + "." + digits.substr(digits.size() - kDigits);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

Result<FixedDecimal> FixedDecimal::parse(std::string_view text) {
  if (text == kUnlimited) return unlimited();
  TACET_TRY(const Decimal value, Decimal::parse(text));
  if (value < Decimal()) return Error::invalid("total", value.to_string(), "must not be negative");
  const FixedDecimal result = at_least(value);
  if (result.is_unlimited() || result != at_most(value)) {
    return Error::invalid("total", value.to_string(), "must be less than 5e36 and have at most 40 digits after the point");
  }
  return result;
}

}  // namespace tacet::exact
