#include <string>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "tacet/exact/enclosures.h"

#include "support/scripted_bits.h"

namespace tacet::exact::exp_bounds_test {
namespace {

struct Truth {
  mpz_class floor, ceiling;  // of exp(-t) 2^precision
};

Truth referee(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  mpfr_t t, value;
  mpfr_init2(t, static_cast<mpfr_prec_t>(mpz_sizeinbase(numerator.get_mpz_t(), 2) + 2));
  mpfr_init2(value, static_cast<mpfr_prec_t>(precision + 200));
  mpfr_set_z_2exp(t, numerator.get_mpz_t(), -static_cast<long>(shift), MPFR_RNDN);  // exact
  mpfr_neg(t, t, MPFR_RNDN);
  mpfr_exp(value, t, MPFR_RNDN);  // exp(-t) is irrational unless t = 0, so 200 spare bits place it between integers
  mpfr_mul_2ui(value, value, precision, MPFR_RNDN);
  Truth truth;
  mpfr_get_z(truth.floor.get_mpz_t(), value, MPFR_RNDD);
  mpfr_get_z(truth.ceiling.get_mpz_t(), value, MPFR_RNDU);
  mpfr_clears(t, value, nullptr);
  return truth;
}

void expect_enclosed(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  const Enclosure bounds = exp_minus_bounds(numerator, shift, precision);
  const Truth truth = referee(numerator, shift, precision);
  const std::string where = numerator.get_str() + "/2^" + std::to_string(shift) + " at " + std::to_string(precision);
  ASSERT_TRUE(bounds.lower <= truth.floor) << where;
  ASSERT_TRUE(bounds.upper >= truth.ceiling) << where;
  ASSERT_TRUE(bounds.upper - bounds.lower <= 256) << where;
}

TEST(ExpMinusBounds, EncloseMpfrAndStayCloseForRandomArguments) {
  test::InsecureStream stream(5);
  for (int i = 0; i < 3000; ++i) {
    mpz_class numerator = mpz_class(static_cast<unsigned long>(stream.next()));
    if (i % 2 == 0) numerator = (numerator << 64) + mpz_class(static_cast<unsigned long>(stream.next()));
    numerator >>= static_cast<mp_bitcnt_t>(stream.next() % 100);
    const unsigned long bits = mpz_sizeinbase(numerator.get_mpz_t(), 2);
    const unsigned long shift = bits > 12 ? bits - 12 + stream.next() % 40 : stream.next() % 80;  // t from 0 to about 4096
    expect_enclosed(numerator, shift, 1 + stream.next() % 400);
    if (HasFatalFailure()) return;
  }
}

TEST(ExpMinusBounds, EncloseMpfrAtEveryNodeOfTheNoiseTables) {
  for (unsigned long v = 0; v <= 13 * 64; ++v) {
    expect_enclosed(v, 6, 62 + v / 64);
    expect_enclosed(25 * mpz_class(v) * v, 17, 62 + v / 64);
    if (HasFatalFailure()) return;
  }
}

TEST(ExpMinusBounds, HoldAtTheEdges) {
  expect_enclosed(0, 0, 64);
  EXPECT_TRUE(exp_minus_bounds(0, 0, 64).upper == mpz_class(1) << 64);
  expect_enclosed(0, 100, 1);
  expect_enclosed(1, 1000, 64);                // so small that exp(-t) is one, less less than a unit
  expect_enclosed(mpz_class(1) << 20, 0, 64);  // so large that exp(-t) is less than a unit
  expect_enclosed(1, 0, 5000);
}

}  // namespace
}  // namespace tacet::exact::exp_bounds_test
