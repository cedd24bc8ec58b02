#include "tacet/exact/directed.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();

using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// MPFR's answer with 53 bits, in the given direction.
double referee(Operation operation, double a, double b, mpfr_rnd_t direction) {
  mpfr_t left;
  mpfr_t right;
  mpfr_t result;
  mpfr_inits2(53, left, right, result, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(left, a, MPFR_RNDN);
  mpfr_set_d(right, b, MPFR_RNDN);
  operation(result, left, right, direction);
  const double value = mpfr_get_d(result, direction);
  mpfr_clears(left, right, result, static_cast<mpfr_ptr>(nullptr));
  return value;
}
int root_of_first(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr /*b*/, mpfr_rnd_t direction) { return mpfr_sqrt(result, a, direction); }

class Doubles {
 public:
  /// A double with a random significand and an exponent in [-range, range].
  double any(int range) {
    const std::uint64_t word = stream_.next();
    const double significand = 1 + static_cast<double>(word >> 12) * 0x1p-52;
    const int exponent = static_cast<int>((word & 0xfff) % static_cast<unsigned>(2 * range + 1)) - range;
    return std::ldexp((stream_.next() & 1) != 0 ? significand : -significand, exponent);
  }

 private:
  test::InsecureStream stream_{test::suite_seed()};
};

TEST(Directed, SumsAreTheClosestDoublesOnTheirSide) {
  Doubles doubles;
  for (int i = 0; i < 1000000; ++i) {
    const double a = doubles.any(60);
    const double b = doubles.any(60);
    ASSERT_EQ(add_up(a, b), referee(mpfr_add, a, b, MPFR_RNDU)) << a << " " << b;
    ASSERT_EQ(add_down(a, b), referee(mpfr_add, a, b, MPFR_RNDD)) << a << " " << b;
  }
}

TEST(Directed, ProductsQuotientsAndRootsAreTheClosestDoublesOnTheirSide) {
  Doubles doubles;
  for (int i = 0; i < 300000; ++i) {
    const double a = doubles.any(300);
    const double b = doubles.any(300);
    const double positive = std::abs(b);
    ASSERT_EQ(multiply_up(a, b), referee(mpfr_mul, a, b, MPFR_RNDU)) << a << " " << b;
    ASSERT_EQ(multiply_down(a, b), referee(mpfr_mul, a, b, MPFR_RNDD)) << a << " " << b;
    ASSERT_EQ(divide_up(a, positive), referee(mpfr_div, a, positive, MPFR_RNDU)) << a << " " << b;
    ASSERT_EQ(divide_down(a, positive), referee(mpfr_div, a, positive, MPFR_RNDD)) << a << " " << b;
    ASSERT_EQ(sqrt_up(positive), referee(root_of_first, positive, 0, MPFR_RNDU)) << b;
    ASSERT_EQ(sqrt_down(positive), referee(root_of_first, positive, 0, MPFR_RNDD)) << b;
  }
}

TEST(Directed, TheEndsOfTheRangeStayOnTheirSide) {
  EXPECT_EQ(add_up(kLargest, kLargest), kInfinity);
  EXPECT_EQ(add_up(-kLargest, -kLargest), -kLargest);
  EXPECT_EQ(add_down(kLargest, kLargest), kLargest);
  EXPECT_EQ(add_up(1, kLeast), 1 + 0x1p-52);
  EXPECT_EQ(add_up(0.1, 0.2), 0.30000000000000004);
  EXPECT_EQ(multiply_up(kLargest, 2), kInfinity);
  EXPECT_EQ(multiply_down(kLargest, 2), kLargest);
  EXPECT_EQ(multiply_up(0x1p-600, 0x1p-600), kLeast);
  EXPECT_LE(multiply_down(0x1p-600, 0x1p-600), 0);
  EXPECT_EQ(multiply_up(0, 5), 0);
  EXPECT_GE(divide_up(0x1p-1000, 0x1p200), kLeast);
  EXPECT_EQ(divide_up(kLargest, 0.5), kInfinity);
  EXPECT_EQ(divide_down(kLargest, 0.5), kLargest);
  EXPECT_EQ(sqrt_up(0), 0);
  EXPECT_EQ(sqrt_down(4), 2);
  EXPECT_EQ(sqrt_up(4), 2);
}

TEST(Directed, EnlargedAndReducedEncloseALongDoubleAndItsError) {
  for (const long double value : {1.0L, 0.1L, 3e-300L, 1e-4000L, 12345.678901234567890123L}) {
    for (const long double error : {0x1p-60L, 0x1p-40L}) {
      EXPECT_GE(static_cast<long double>(enlarged(value, error)), value * (1 + error));
      EXPECT_LE(static_cast<long double>(reduced(value, error)), value * (1 - error));
      if (value > 1e-300L) {
        EXPECT_LE(static_cast<long double>(enlarged(value, error)), value * (1 + 3 * error + 0x1p-52L));
        EXPECT_GE(static_cast<long double>(reduced(value, error)), value * (1 - 3 * error - 0x1p-52L));
      }
    }
  }
  EXPECT_EQ(enlarged(1e-4000L, 0), kLeast);
  EXPECT_EQ(enlarged(0, 0x1p-40L), 0);
  EXPECT_EQ(reduced(1e400L, 0), kLargest);
}

}  // namespace
}  // namespace tacet::exact
