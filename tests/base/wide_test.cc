#include "tacet/base/wide.h"

#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <gmpxx.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

constexpr Int128 kLargest = static_cast<Int128>(~UInt128{0} >> 1);
constexpr Int128 kLeast = -kLargest - 1;

/// The same number in GMP, assembled from its two halves.
mpz_class big(Int128 value) {
  const bool negative = value < 0;
  const UInt128 size = negative ? UInt128{0} - static_cast<UInt128>(value) : static_cast<UInt128>(value);
  mpz_class result = static_cast<std::uint64_t>(size >> 64);
  result <<= 64;
  result += static_cast<std::uint64_t>(size);
  return negative ? mpz_class(-result) : result;
}

/// Numbers of every length, so that overflow is neither rare nor certain.
class Numbers {
 public:
  Int128 next() {
    const auto bits = static_cast<unsigned>(random_() % 2 == 0 ? 127 : random_() % 128);
    const UInt128 raw = (static_cast<UInt128>(random_()) << 64) | random_();
    const auto value = static_cast<Int128>(raw >> (127 - bits) >> 1);
    return random_() % 2 == 0 ? value : -value;
  }

 private:
  std::mt19937_64 random_{11};
};

TEST(Wide, PrintsTheEndsOfTheRange) {
  EXPECT_EQ(to_string(Int128{0}), "0");
  EXPECT_EQ(to_string(Int128{-1}), "-1");
  EXPECT_EQ(to_string(Int128{10}), "10");
  EXPECT_EQ(to_string(kLargest), "170141183460469231731687303715884105727");
  EXPECT_EQ(to_string(kLeast), "-170141183460469231731687303715884105728");
}

TEST(Wide, PrintsWhatGmpPrints) {
  Numbers numbers;
  for (int i = 0; i < 20'000; ++i) {
    const Int128 value = numbers.next();
    ASSERT_EQ(to_string(value), big(value).get_str());
  }
}

TEST(Wide, CheckedSumsAndProductsAreExactOrNothing) {
  Numbers numbers;
  int sums_refused = 0, products_refused = 0;
  const auto fits = [](const mpz_class& value) { return value >= big(kLeast) && value <= big(kLargest); };
  for (int i = 0; i < 20'000; ++i) {
    const Int128 a = numbers.next(), b = numbers.next();
    const auto sum = checked_add(a, b), product = checked_multiply(a, b);
    const mpz_class true_sum = big(a) + big(b), true_product = big(a) * big(b);
    ASSERT_EQ(sum.has_value(), fits(true_sum));
    ASSERT_EQ(product.has_value(), fits(true_product));
    ASSERT_TRUE(!sum || big(*sum) == true_sum);
    ASSERT_TRUE(!product || big(*product) == true_product);
    sums_refused += sum ? 0 : 1;
    products_refused += product ? 0 : 1;
  }
  EXPECT_GT(sums_refused, 10);
  EXPECT_GT(products_refused, 1000);
}

TEST(Wide, CheckedSumsKnowTheEdgesOf64Bits) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  static_assert(checked_add<std::int64_t>(most, 0) == most);
  static_assert(!checked_add<std::int64_t>(most, 1));
  static_assert(checked_add<std::int64_t>(least, most) == -1);
  static_assert(!checked_add<std::int64_t>(least, -1));
  static_assert(!checked_multiply<std::int64_t>(least, -1));
  static_assert(checked_multiply<std::int64_t>(std::int64_t{1} << 31, std::int64_t{1} << 31) == std::int64_t{1} << 62);
  static_assert(!checked_multiply<std::int64_t>(std::int64_t{1} << 32, std::int64_t{1} << 31));
  static_assert(!checked_add<std::uint64_t>(~std::uint64_t{0}, 1));
  EXPECT_EQ(checked_add(kLeast, kLargest), Int128{-1});
  EXPECT_EQ(checked_add(kLargest, Int128{1}), std::nullopt);
  EXPECT_EQ(checked_multiply(kLeast, Int128{-1}), std::nullopt);
}

}  // namespace
}  // namespace tacet
