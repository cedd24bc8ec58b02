#include "tacet/accounting/short_decimal.h"

#include <fmt/format.h>

namespace tacet::accounting {
namespace {

/// value * 10^power, exactly.
mpq_class times_power_of_ten(const mpq_class& value, long power) {
  mpz_class ten;
  mpz_ui_pow_ui(ten.get_mpz_t(), 10, static_cast<unsigned long>(power < 0 ? -power : power));
  return power < 0 ? mpq_class(value / ten) : mpq_class(value * ten);
}

/// The largest k with 10^k <= value.
long decimal_exponent(const mpq_class& value) {
  const long bits =
      static_cast<long>(mpz_sizeinbase(value.get_num_mpz_t(), 2)) - static_cast<long>(mpz_sizeinbase(value.get_den_mpz_t(), 2));
  long guess = bits * 301 / 1000;  // log10(2), roughly: exact comparisons settle it
  while (times_power_of_ten(value, -guess) < 1) --guess;
  while (times_power_of_ten(value, -guess) >= 10) ++guess;
  return guess;
}

}  // namespace

Decimal short_decimal_up(const mpq_class& value, int digits) {
  const long power = digits - 1 - decimal_exponent(value);
  const mpq_class scaled = times_power_of_ten(value, power);
  mpz_class coefficient;
  mpz_cdiv_q(coefficient.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  return *Decimal::parse(fmt::format("{}e{}", coefficient.get_str(), -power));
}

Decimal short_decimal_down(const mpq_class& value, int digits) {
  const long power = digits - 1 - decimal_exponent(value);
  const mpq_class scaled = times_power_of_ten(value, power);
  mpz_class coefficient;
  mpz_fdiv_q(coefficient.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  return *Decimal::parse(fmt::format("{}e{}", coefficient.get_str(), -power));
}

Decimal short_decimal_step(const mpq_class& value, int digits) {
  return *Decimal::parse(fmt::format("1e{}", decimal_exponent(value) - digits + 1));
}

}  // namespace tacet::accounting
