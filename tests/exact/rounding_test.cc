#include "tacet/exact/rounding.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "support/scripted_bits.h"

namespace tacet::exact::rounding_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// MPFR's own answer: 53 bits, rounded towards +infinity from the exact rational.
double referee_at_least(const mpq_class& value) {
  mpfr_t rounded;
  mpfr_init2(rounded, 53);
  mpfr_set_q(rounded, value.get_mpq_t(), MPFR_RNDU);
  const double result = mpfr_get_d(rounded, MPFR_RNDU);
  mpfr_clear(rounded);
  return std::isnormal(result) ? result : kInfinity;
}

/// The same for the root. Both roundings go up; `wide` exceeds the root by less than 2^-4000
/// relative, and the exact comparison settles the rest.
double referee_root_at_least(const mpq_class& square) {
  mpfr_t wide;
  mpfr_init2(wide, 4096);
  mpfr_set_q(wide, square.get_mpq_t(), MPFR_RNDU);
  mpfr_sqrt(wide, wide, MPFR_RNDU);
  double result = mpfr_get_d(wide, MPFR_RNDU);
  mpfr_clear(wide);
  const double below = std::nextafter(result, 0);
  if (below > 0 && mpq_class(below) * mpq_class(below) >= square) result = below;
  return std::isnormal(result) ? result : kInfinity;
}

mpq_class random_rational(test::InsecureStream& stream) {
  const auto part = [&] {
    mpz_class value = 0;
    for (std::uint64_t words = 1 + stream.next() % 5; words > 0; --words)
      value = (value << 64) + mpz_class(static_cast<unsigned long>(stream.next()));
    value >>= static_cast<mp_bitcnt_t>(stream.next() % 60);
    return mpz_class(value + 1);
  };
  mpq_class result(part(), part());
  result.canonicalize();
  if (stream.next() % 4 == 0) mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), stream.next() % 700);
  if (stream.next() % 4 == 0) mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), stream.next() % 700);
  return result;
}

TEST(LeastDoubleAtLeast, AgreesWithMpfrRoundingUpwardsOnRandomRationals) {
  test::InsecureStream stream(1);
  for (int i = 0; i < 50'000; ++i) {
    const mpq_class value = random_rational(stream);
    ASSERT_EQ(least_double_at_least(value), referee_at_least(value)) << value.get_str();
  }
}

TEST(LeastDoubleRootAtLeast, AgreesWithMpfrRoundingUpwardsOnRandomRationals) {
  test::InsecureStream stream(2);
  for (int i = 0; i < 10'000; ++i) {
    const mpq_class square = random_rational(stream);
    ASSERT_EQ(least_double_root_at_least(square), referee_root_at_least(square)) << square.get_str();
  }
}

TEST(LeastDoubleAtLeast, IsMinimalJustBelowAndAtAndAbovePowersOfTwo) {
  // Below a power of two the doubles are half as far apart as above it.
  for (int exponent = -1000; exponent <= 1000; exponent += 40) {
    const mpq_class power = exponent >= 0 ? mpq_class(mpz_class(1) << static_cast<mp_bitcnt_t>(exponent))
                                          : mpq_class(1, mpz_class(1) << static_cast<mp_bitcnt_t>(-exponent));
    for (const int quarters : {-9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5}) {  // of 2^-53, relative
      for (const long odd : {1L, 3L, (1L << 61) - 1}) {                                  // denominators that are no powers of two
        mpq_class value = power * (1 + mpq_class(quarters, mpz_class(1) << 55) + mpq_class(1, mpz_class(odd) << 80));
        value.canonicalize();
        ASSERT_EQ(least_double_at_least(value), referee_at_least(value)) << exponent << " " << quarters << "/4";
        mpq_class square = value * value;
        ASSERT_EQ(least_double_root_at_least(square), referee_root_at_least(square)) << exponent << " " << quarters << "/4";
      }
    }
  }
}

TEST(LeastDoubleAtLeast, IsNotAPowerOfTwoWhenALesserDoubleServes) {
  // (2^61 - 1 - 384)/(2^61 - 1) = 1 - 0.75 2^-52: the double 1 - 2^-53 is above it.
  const mpz_class denominator = (mpz_class(1) << 61) - 1;
  EXPECT_EQ(least_double_at_least(mpq_class(denominator - 384, denominator)), std::nextafter(1.0, 0.0));
}

TEST(LeastDoubleAtLeast, OfADoubleIsThatDouble) {
  test::InsecureStream stream(3);
  for (int i = 0; i < 10'000; ++i) {
    const double value =
        std::ldexp(static_cast<double>((stream.next() >> 11) | (std::uint64_t{1} << 52)), static_cast<int>(stream.next() % 1800) - 950);
    ASSERT_EQ(least_double_at_least(mpq_class(value)), value);
    if (value > 1e-150 && value < 1e150) {
      ASSERT_EQ(least_double_root_at_least(mpq_class(value) * mpq_class(value)), value);
    }
  }
}

TEST(LeastDoubleAtLeast, IsInfinityOutsideTheNormalDoubles) {
  const mpq_class least(std::numeric_limits<double>::min()), largest(std::numeric_limits<double>::max());
  EXPECT_EQ(least_double_at_least(least), std::numeric_limits<double>::min());
  EXPECT_EQ(least_double_at_least(least / 2), kInfinity);
  EXPECT_EQ(least_double_at_least(least / 3), kInfinity);
  EXPECT_EQ(least_double_at_least(largest), std::numeric_limits<double>::max());
  EXPECT_EQ(least_double_at_least(largest + 1), kInfinity);
  EXPECT_EQ(least_double_at_least(largest * 4), kInfinity);
  EXPECT_EQ(least_double_at_least(mpq_class(0)), kInfinity);
  EXPECT_EQ(least_double_at_least(mpq_class(-1)), kInfinity);
  EXPECT_EQ(least_double_root_at_least(mpq_class(0)), kInfinity);
  EXPECT_EQ(least_double_root_at_least(least * least), std::numeric_limits<double>::min());
  EXPECT_EQ(least_double_root_at_least(largest * largest), std::numeric_limits<double>::max());
  EXPECT_EQ(least_double_root_at_least(largest * largest + 1), kInfinity);
}

TEST(GreatestDoubleAtMost, AgreesWithMpfrRoundingDownwardsOnRandomRationals) {
  test::InsecureStream stream(4);
  mpfr_t rounded;
  mpfr_init2(rounded, 53);
  for (int i = 0; i < 20'000; ++i) {
    const mpq_class value = i % 3 == 0 ? mpq_class(static_cast<double>(stream.next())) : random_rational(stream);
    mpfr_set_q(rounded, value.get_mpq_t(), MPFR_RNDD);
    const double referee = mpfr_get_d(rounded, MPFR_RNDD);
    ASSERT_EQ(greatest_double_at_most(value), std::isnormal(referee) ? referee : 0) << value.get_str();
  }
  mpfr_clear(rounded);
  EXPECT_EQ(greatest_double_at_most(mpq_class(0)), 0);
  EXPECT_EQ(greatest_double_at_most(mpq_class(-1)), 0);
}

TEST(QuotientUpAndProductUp, AreTheLeastDoubles) {
  test::InsecureStream stream(5);
  const auto draw = [&] { return std::ldexp(static_cast<double>(stream.next() >> 11) + 1, static_cast<int>(stream.next() % 400) - 250); };
  for (int i = 0; i < 20'000; ++i) {
    const double a = draw();
    const double b = draw();
    ASSERT_EQ(quotient_up(a, b), least_double_at_least(mpq_class(a) / mpq_class(b)));
    ASSERT_EQ(product_up(a, b), least_double_at_least(mpq_class(a) * mpq_class(b)));
  }
  EXPECT_EQ(quotient_up(1, 0.25), 4);
  EXPECT_EQ(product_up(0.5, 0.25), 0.125);
}

}  // namespace
}  // namespace tacet::exact::rounding_test
