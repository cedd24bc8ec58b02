#include "tacet/exact/rounding.h"

#include <cmath>
#include <limits>

namespace tacet::exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kSignificand = std::numeric_limits<double>::digits;

/// The quotient's binary exponent, up to one: 2^(result-1) < value < 2^(result+1).
long binary_exponent(const mpq_class& value) {
  return static_cast<long>(mpz_sizeinbase(value.get_num_mpz_t(), 2)) - static_cast<long>(mpz_sizeinbase(value.get_den_mpz_t(), 2));
}

/// value * 2^shift, exactly.
mpq_class times_power_of_two(const mpq_class& value, long shift) {
  mpq_class result;
  if (shift >= 0) {
    mpq_mul_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(shift));
  } else {
    mpq_div_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-shift));
  }
  return result;
}

mpz_class ceiling(const mpq_class& value) {
  mpz_class result;
  mpz_cdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

// The doubles in (2^52, 2^53] are the integers, so a ceiling in this range is the least double. At
// 2^52 that fails: the doubles just below it are half as far apart.
const mpz_class kAfterWhich = mpz_class(1) << (kSignificand - 1);
const mpz_class kUpTo = mpz_class(1) << kSignificand;

/// significand * 2^-shift for an integer significand in (2^52, 2^53].
double assemble(const mpz_class& significand, long shift) {
  const double result = std::ldexp(significand.get_d(), static_cast<int>(-shift));
  return std::isnormal(result) ? result : kInfinity;
}

/// The double of the first significand in that range; `significand_at` gives one for each shift.
template <class SignificandAt>
double least_double(long shift, const SignificandAt& significand_at) {
  for (;; ++shift) {
    const mpz_class significand = significand_at(shift);
    if (significand <= kAfterWhich) continue;
    if (significand > kUpTo) {
      shift -= 2;
      continue;
    }
    return assemble(significand, shift);
  }
}

}  // namespace

double least_double_at_least(const mpq_class& value) {
  if (sgn(value) <= 0) return kInfinity;
  return least_double(kSignificand - 1 - binary_exponent(value), [&](long shift) { return ceiling(times_power_of_two(value, shift)); });
}

double least_double_root_at_least(const mpq_class& square) {
  if (sgn(square) <= 0) return kInfinity;
  // The least integer m with m^2 >= square * 4^shift.
  return least_double(kSignificand - 1 - binary_exponent(square) / 2, [&](long shift) {
    const mpz_class target = ceiling(times_power_of_two(square, 2 * shift));
    mpz_class significand = sqrt(target);
    if (significand * significand < target) ++significand;
    return significand;
  });
}

double greatest_double_at_most(const mpq_class& value) {
  const double above = least_double_at_least(value);
  if (above == kInfinity) return 0;
  const double result = mpq_class(above) == value ? above : std::nextafter(above, 0);
  return std::isnormal(result) ? result : 0;
}

double quotient_up(double a, double b) {
  const double quotient = a / b;
  return std::fma(quotient, b, -a) < 0 ? std::nextafter(quotient, kInfinity) : quotient;
}

double product_up(double a, double b) {
  const double product = a * b;
  return std::fma(a, b, -product) > 0 ? std::nextafter(product, kInfinity) : product;
}

}  // namespace tacet::exact
