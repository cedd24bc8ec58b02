#include "tacet/exact/fixed_decimal.h"

#include <algorithm>
#include <limits>

#include "tacet/exact/fixed_point.h"

namespace tacet::exact {
namespace {

constexpr std::size_t kDigits = 40;

const mpz_class& too_many() {
  static const mpz_class units = mpz_class(1) << 255;
  return units;
}

const mpz_class& units_in_one() {
  static const mpz_class units("1" + std::string(kDigits, '0'));
  return units;
}

}  // namespace

FixedDecimal::FixedDecimal(const mpz_class& units) : units_(std::min(units, too_many())) {}

FixedDecimal FixedDecimal::unlimited() { return FixedDecimal(too_many()); }
FixedDecimal FixedDecimal::at_least(const mpq_class& value) { return FixedDecimal(units_up(value * units_in_one(), 0)); }
FixedDecimal FixedDecimal::at_most(const mpq_class& value) {
  return FixedDecimal(std::min(units_down(value * units_in_one(), 0), mpz_class(too_many() - 1)));
}

FixedDecimal& FixedDecimal::operator+=(const FixedDecimal& other) {
  units_ += other.units_;
  if (units_ > too_many()) units_ = too_many();
  return *this;
}

bool FixedDecimal::is_unlimited() const { return units_ == too_many(); }

long double FixedDecimal::approximate() const {
  if (is_unlimited()) return std::numeric_limits<long double>::infinity();
  static_assert(GMP_NUMB_BITS == 64);
  long double sum = 0;
  for (std::size_t i = mpz_size(units_.get_mpz_t()); i-- > 0;)
    sum = sum * 0x1p64L + static_cast<long double>(mpz_getlimbn(units_.get_mpz_t(), static_cast<mp_size_t>(i)));
  return sum / 1e40L;
}

std::string FixedDecimal::to_string() const {
  if (is_unlimited()) return "unlimited";
  std::string digits = units_.get_str();
  if (digits.size() <= kDigits) digits.insert(0, kDigits + 1 - digits.size(), '0');
  std::string text = digits.substr(0, digits.size() - kDigits) + "." + digits.substr(digits.size() - kDigits);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace tacet::exact
