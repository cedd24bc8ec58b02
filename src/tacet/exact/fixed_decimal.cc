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

long double FixedDecimal::approximate() const {
  if (is_unlimited()) return std::numeric_limits<long double>::infinity();
  const double high = units_.get_d();  // truncated to 53 bits; what is left has no more than 202, and is truncated to 53 as well
  const mpz_class rest = units_ - mpz_class(high);
  return (static_cast<long double>(high) + static_cast<long double>(rest.get_d())) / 1e40L;
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
