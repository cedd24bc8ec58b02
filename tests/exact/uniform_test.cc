#include "tacet/exact/uniform.h"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::exact::uniform_test {
namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0}, kHalf = std::uint64_t{1} << 63;

TEST(UniformBelow, OneIsAlwaysZeroAndTakesOneWord) {
  for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{1}, kOnes}) {
    test::ScriptedBits bits({word});
    EXPECT_EQ(uniform_below(std::uint64_t{1}, bits), 0U);
    EXPECT_EQ(bits.words_used(), 1U);
  }
}

TEST(UniformBelow, SixCutsTheWordsIntoSixEqualPartsAndRefusesTheExcess) {
  // 2^64 = 4 modulo 6: the words whose product with 6 ends below 4 are refused, such as 0 and 2^63
  // (6 2^63 = 3 2^64).
  test::ScriptedBits refused({0, kHalf, kHalf + 1});
  EXPECT_EQ(uniform_below(std::uint64_t{6}, refused), 3U);
  EXPECT_EQ(refused.words_used(), 3U);
  test::ScriptedBits first({1});  // product 6, not below 4
  EXPECT_EQ(uniform_below(std::uint64_t{6}, first), 0U);
  test::ScriptedBits last({kOnes});  // product 6 2^64 - 6, low part 2^64 - 6
  EXPECT_EQ(uniform_below(std::uint64_t{6}, last), 5U);
  // Words per outcome, counted exactly: outcome k holds the w with k 2^64 <= 6 w < (k + 1) 2^64,
  // less those whose low part is below 4.
  for (std::uint64_t k = 0; k < 6; ++k) {
    const UInt128 from = UInt128{k} << 64, to = UInt128{k + 1} << 64;
    const auto first_w = static_cast<std::uint64_t>((from + 4 + 5) / 6), after_w = static_cast<std::uint64_t>((to + 5) / 6);
    // The first accepted product of this outcome is >= from + 4; all later ones are accepted too.
    EXPECT_EQ(after_w - first_w, kOnes / 6) << k;  // floor(2^64/6), the same for every outcome
  }
}

TEST(UniformBelow, APowerOfTwoIsTheTopBits) {
  test::InsecureSeededBits bits(30), same(30);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(uniform_below(std::uint64_t{1} << 63, bits), same.word() >> 1);
  EXPECT_EQ(bits.words_used(), 1000U);
}

TEST(UniformBelow, JustAboveTwoToThe63RefusesNearlyHalfTheWords) {
  // n = 2^63 + 1: excess = 2^64 mod n = 2^63 - 1. w = 0 has product 0 (refused), w = 1 product n >=
  // excess (0), w = 2: 2^64 + 2, low part 2 (refused), w = 3: low part 2^63 + 3 (1), w = 2^64 - 1:
  // 2^64 n - n, low part 2^63 - 1 = excess: accepted, the last value 2^63.
  constexpr std::uint64_t kN = kHalf + 1;
  test::ScriptedBits a({0, 1}), b({2, 3}), c({kOnes});
  EXPECT_EQ(uniform_below(kN, a), 0U);
  EXPECT_EQ(a.words_used(), 2U);
  EXPECT_EQ(uniform_below(kN, b), 1U);
  EXPECT_EQ(b.words_used(), 2U);
  EXPECT_EQ(uniform_below(kN, c), kHalf);
  EXPECT_EQ(c.words_used(), 1U);
}

TEST(UniformBelow, TheLargestRangeIsTheWordWithoutItsLargestValue) {
  // n = 2^64 - 1: excess 1. w n = w 2^64 - w: low part 2^64 - w, high w - 1 for w >= 1; w = 0 is
  // refused.
  test::ScriptedBits bits({0, 1, kOnes});
  EXPECT_EQ(uniform_below(kOnes, bits), 0U);
  EXPECT_EQ(uniform_below(kOnes, bits), kOnes - 1);
  EXPECT_EQ(bits.words_used(), 3U);
}

TEST(UniformBelow, EveryValueIsEquallyLikely) {
  constexpr double kFalseAlarm = 2e-11, kMiss = 1e-9;
  for (const std::uint64_t n : {2ULL, 3ULL, 6ULL, 100ULL}) {
    test::declare_false_alarm(fmt::format("UniformBelow.EveryValueIsEquallyLikely/{}", n), kFalseAlarm);
    const double p = 1.0 / static_cast<double>(n);
    const std::uint64_t draws =
        test::draws_to_tell(p, p * (1 + 0.02 * test::coarseness()), n, kFalseAlarm, kMiss);  // any value 2 % too likely
    test::InsecureSeededBits bits(31 + n);
    std::vector<test::Event> events;
    events.reserve(n);
    for (std::uint64_t value = 0; value < n; ++value) events.push_back({fmt::format("value {}", value), p});
    for (std::uint64_t i = 0; i < draws; ++i) ++events[uniform_below(n, bits)].count;
    const test::Verdict verdict = judge(events, draws, kFalseAlarm);
    EXPECT_FALSE(verdict.red) << verdict.worst;
  }
}

TEST(UniformBelow, SeesAFaultyBiasOfOneInFiveHundred) {
  const test::Promise promise{.false_alarm = 2e-11, .miss = 5e-11, .shift = 0.002 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("UniformBelow.SeesAFaultyBiasOfOneInFiveHundred", promise.false_alarm + promise.miss);
  const auto frequency = [&](std::uint64_t numerator, std::uint64_t denominator, std::uint64_t stream) {
    test::InsecureSeededBits bits(stream);
    std::uint64_t heads = 0;
    for (std::uint64_t i = 0; i < plan.n; ++i) heads += uniform_below(denominator, bits) < numerator ? 1 : 0;
    return static_cast<double>(heads) / static_cast<double>(plan.n);
  };
  EXPECT_NEAR(frequency(1, 3, 41), 1.0 / 3, plan.threshold);
  EXPECT_NEAR(frequency((kHalf + 1) / 3, kHalf + 1, 42), 1.0 / 3, plan.threshold);
  EXPECT_GE(std::abs(frequency(1000 + static_cast<std::uint64_t>(3000 * promise.shift), 3000, 43) - 1.0 / 3), plan.threshold);  // planted
}

}  // namespace
}  // namespace tacet::exact::uniform_test
