#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/exact/uniform.h"

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::exact::uniform_wide_test {
namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0};
// Big integers are compared, not printed: the library of their C++ streams is not linked.
constexpr UInt128 kTwo64 = UInt128{1} << 64U;

TEST(UniformBelowWide, TakesOneWordUpToTwoToTheSixtyFourAndTwoBeyond) {
  test::ScriptedBits below({kOnes});
  EXPECT_EQ(uniform_below(kTwo64 - 1, below), kTwo64 - 2);
  test::ScriptedBits exactly({kOnes});
  EXPECT_EQ(uniform_below(kTwo64, exactly), kTwo64 - 1);
  test::ScriptedBits beyond({kOnes, 7});
  EXPECT_EQ(uniform_below(2 * kTwo64, beyond), kTwo64 + 7);
}

TEST(UniformBelowWide, DrawsAgainAboveTheLastNumber) {
  // n = 2^64 + 1: the top word is 0 or 1, and with 1 only 2^64 itself is allowed.
  test::ScriptedBits bits({kOnes, 1, 1, 0});
  EXPECT_EQ(uniform_below(kTwo64 + 1, bits), kTwo64);
  EXPECT_EQ(bits.unused(), 0U);
}

TEST(UniformBelowBig, IsZeroBelowOneAndReadsWordsFromTheLowEnd) {
  test::ScriptedBits one({});
  EXPECT_TRUE(uniform_below(mpz_class(1), one) == 0);
  const mpz_class n = mpz_class(1) << 100;
  test::ScriptedBits two({5, kOnes});
  EXPECT_TRUE(uniform_below(n, two) == (((mpz_class(1) << 36) - 1) << 64) + 5);
}

TEST(UniformBelowBig, DrawsAgainAboveTheLastNumber) {
  // n = 2^64 + 1: a candidate (low word, top bit) of 2^64 + 1 is refused.
  test::ScriptedBits bits({1, 1, 0, 1});
  EXPECT_TRUE(uniform_below((mpz_class(1) << 64) + 1, bits) == mpz_class(1) << 64);
  EXPECT_EQ(bits.unused(), 0U);
}

TEST(ToBig, KeepsEveryBit) {
  EXPECT_TRUE(to_big(0) == 0);
  EXPECT_TRUE(to_big(~UInt128{0}) == (mpz_class(1) << 128) - 1);
  EXPECT_TRUE(to_big(kTwo64 + 3) == (mpz_class(1) << 64) + 3);
  for (const UInt128 value : {UInt128{0}, UInt128{7}, kTwo64 - 1, kTwo64, kTwo64 + 3, ~UInt128{0}})
    EXPECT_TRUE(from_big(to_big(value)) == value);
}

/// A fault that this sees: values folded modulo n, which would double the chance of the lower third
/// of 3 2^64.
TEST(UniformBelowWide, GivesEveryThirdTheSameChance) {
  const test::Promise promise{.false_alarm = 1e-11, .miss = 1e-11, .shift = 0.01 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("UniformBelowWide.GivesEveryThirdTheSameChance", 6 * promise.false_alarm);
  test::InsecureSeededBits bits(500);
  std::map<int, std::uint64_t> wide;
  std::map<int, std::uint64_t> big;
  const mpz_class three = mpz_class(3) << 64;
  for (std::uint64_t i = 0; i < plan.n; ++i) {
    ++wide[static_cast<int>(uniform_below(3 * kTwo64, bits) / kTwo64)];
    const mpz_class third = uniform_below(three, bits) >> 64;
    ++big[static_cast<int>(third.get_si())];
  }
  for (int third = 0; third < 3; ++third) {
    EXPECT_NEAR(static_cast<double>(wide[third]) / static_cast<double>(plan.n), 1.0 / 3, plan.threshold);
    EXPECT_NEAR(static_cast<double>(big[third]) / static_cast<double>(plan.n), 1.0 / 3, plan.threshold);
  }
}

}  // namespace
}  // namespace tacet::exact::uniform_wide_test
