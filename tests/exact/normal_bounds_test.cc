#include <string>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "tacet/exact/enclosures.h"

#include "support/scripted_bits.h"

namespace tacet::exact::normal_bounds_test {
namespace {

void expect_enclosed(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  const Enclosure bounds = normal_lower_bounds(numerator, shift, precision);
  mpfr_t x, root, value;
  const auto bits = static_cast<mpfr_prec_t>(precision + 300);
  mpfr_inits2(bits, x, root, value, nullptr);
  mpfr_set_z_2exp(x, numerator.get_mpz_t(), -static_cast<long>(shift), MPFR_RNDN);  // exact
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_div(x, x, root, MPFR_RNDN);
  mpfr_neg(x, x, MPFR_RNDN);
  mpfr_erfc(value, x, MPFR_RNDN);
  mpfr_mul_2ui(value, value, precision - 1, MPFR_RNDN);  // the 300 spare bits place it between integers
  mpz_class floor, ceiling;
  mpfr_get_z(floor.get_mpz_t(), value, MPFR_RNDD);
  mpfr_get_z(ceiling.get_mpz_t(), value, MPFR_RNDU);
  mpfr_clears(x, root, value, nullptr);
  const std::string where = numerator.get_str() + "/2^" + std::to_string(shift) + " at " + std::to_string(precision);
  ASSERT_TRUE(bounds.lower <= floor) << where;
  ASSERT_TRUE(bounds.upper >= ceiling) << where;
  ASSERT_TRUE(bounds.upper - bounds.lower <= 4) << where << ": " << mpz_class(bounds.upper - bounds.lower).get_str();
}

TEST(NormalLowerBounds, EncloseMpfrAndStayCloseForRandomArguments) {
  test::InsecureStream stream(71);
  for (int i = 0; i < 1500; ++i) {
    const mpz_class numerator = mpz_class(static_cast<unsigned long>(stream.next()));
    const unsigned long shift = 61 + stream.next() % 40;  // |x| from 0 to 8
    expect_enclosed(i % 2 == 0 ? numerator : mpz_class(-numerator), shift, 1 + stream.next() % 400);
    if (HasFatalFailure()) return;
  }
}

TEST(NormalLowerBounds, HoldFarOutWhereTheTailIsTiny) {
  for (const long x : {-40, -25, -9, 9, 25, 40}) {
    for (const unsigned long precision : {64UL, 600UL, 1500UL}) {
      expect_enclosed(x, 0, precision);
      expect_enclosed(2 * x + 1, 1, precision);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(NormalLowerBounds, HoldAtTheEdges) {
  EXPECT_TRUE(normal_lower_bounds(0, 0, 64).lower == mpz_class(1) << 63);
  EXPECT_TRUE(normal_lower_bounds(0, 0, 64).upper == mpz_class(1) << 63);
  expect_enclosed(1, 1000, 64);
  expect_enclosed(-1, 1000, 1200);
  expect_enclosed(-1000, 0, 64);  // less than a unit
}

/// Phi(-x) exp(x^2/2) by MPFR's erfc and exp.
void expect_tail_enclosed(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  const Enclosure bounds = scaled_tail_bounds(numerator, shift, precision);
  mpfr_t x, root, square, value;
  const auto bits = static_cast<mpfr_prec_t>(precision + 300);
  mpfr_inits2(bits, x, root, square, value, nullptr);
  mpfr_set_z_2exp(x, numerator.get_mpz_t(), -static_cast<long>(shift), MPFR_RNDN);  // exact
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_div(x, x, root, MPFR_RNDN);
  mpfr_erfc(value, x, MPFR_RNDN);
  mpfr_sqr(square, x, MPFR_RNDN);
  mpfr_exp(square, square, MPFR_RNDN);
  mpfr_mul(value, value, square, MPFR_RNDN);
  mpfr_mul_2ui(value, value, precision - 1, MPFR_RNDN);
  mpz_class floor, ceiling;
  mpfr_get_z(floor.get_mpz_t(), value, MPFR_RNDD);
  mpfr_get_z(ceiling.get_mpz_t(), value, MPFR_RNDU);
  mpfr_clears(x, root, square, value, nullptr);
  const std::string where = numerator.get_str() + "/2^" + std::to_string(shift) + " at " + std::to_string(precision);
  ASSERT_TRUE(bounds.lower <= floor) << where;
  ASSERT_TRUE(bounds.upper >= ceiling) << where;
  ASSERT_TRUE(bounds.upper - bounds.lower <= 4) << where << ": " << mpz_class(bounds.upper - bounds.lower).get_str();
}

TEST(ScaledTailBounds, EncloseMpfrAndStayCloseForSmallAndLargeArguments) {
  test::InsecureStream stream(72);
  for (int i = 0; i < 600; ++i) {
    const mpz_class numerator = mpz_class(static_cast<unsigned long>(stream.next()));
    const unsigned long shift = 58 + stream.next() % 40;  // x from 0 to 64
    expect_tail_enclosed(numerator, shift, 1 + stream.next() % 400);
    if (HasFatalFailure()) return;
  }
}

TEST(ScaledTailBounds, HoldAtTheEdges) {
  expect_tail_enclosed(0, 0, 64);
  expect_tail_enclosed(1, 1000, 64);
  for (const long x : {7, 8, 9, 20, 200}) {
    for (const unsigned long precision : {1UL, 64UL, 1200UL}) {
      expect_tail_enclosed(x, 0, precision);
      expect_tail_enclosed((mpz_class(x) << 90) - 1, 90, precision);
      if (HasFatalFailure()) return;
    }
  }
  const Enclosure far = scaled_tail_bounds(mpz_class(1) << 40, 0, 100);  // 0.3989.../2^40
  EXPECT_TRUE(far.lower > 0 && far.upper - far.lower <= 4);
  EXPECT_NEAR(far.lower.get_d() * 0x1p-60, 0.3989422804014327, 1e-12);
}

}  // namespace
}  // namespace tacet::exact::normal_bounds_test
