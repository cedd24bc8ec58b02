#include "tacet/exact/bernoulli_exp.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::exact::bernoulli_exp_test {
namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0}, kHalf = std::uint64_t{1} << 63;

TEST(BernoulliExpMinus, OfZeroIsAlwaysHeadsAfterOneWord) {
  // k = 1: the coin 0/1 falls tails whatever the word (uniform_below(1) takes one word), and 1 is
  // odd.
  for (const std::uint64_t word : {std::uint64_t{0}, kOnes}) {
    test::ScriptedBits bits({word});
    EXPECT_TRUE(bernoulli_exp_minus(0, 1, bits));
    EXPECT_EQ(bits.words_used(), 1U);
  }
}

TEST(BernoulliExpMinus, FollowsTheRunOfHeadsInAReplayedScript) {
  // exp(-1/2): for k = 1, 2, ... goes on when uniform_below(2) = 0 (word below 2^63) and
  // uniform_below(k) = 0; heads when it stops at an odd k.
  test::ScriptedBits stops_at_one({kHalf});
  EXPECT_TRUE(bernoulli_exp_minus(1, 2, stops_at_one));
  EXPECT_EQ(stops_at_one.words_used(), 1U);
  // k = 1 goes on (0; then one word for uniform_below(1)), k = 2 stops.
  test::ScriptedBits stops_at_two({0, 0, kHalf});
  EXPECT_FALSE(bernoulli_exp_minus(1, 2, stops_at_two));
  EXPECT_EQ(stops_at_two.words_used(), 3U);
  // k = 2 goes on when uniform_below(2) = 0 twice; at k = 3 the coin 1/2 falls 0 but
  // uniform_below(3) = 2: stops at 3, odd.
  test::ScriptedBits stops_at_three({0, 0, 0, 0, 0, kOnes});
  EXPECT_TRUE(bernoulli_exp_minus(1, 2, stops_at_three));
  EXPECT_EQ(stops_at_three.words_used(), 6U);
}

TEST(BernoulliExpMinus, OfAHugeNumeratorEndsAtTheFirstTails) {
  // 2^64 - 1 rounds of exp(-1) would never end; the chance to pass fifty of them is exp(-50).
  constexpr double kFalseAlarm = 1e-13;  // 1000 calls, each heads with probability below exp(-700) or more than 50 rounds with exp(-50)
  test::declare_false_alarm("BernoulliExpMinus.OfAHugeNumeratorEndsAtTheFirstTails", kFalseAlarm);
  test::InsecureSeededBits bits(50);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(bernoulli_exp_minus(kOnes, 1, bits));
  EXPECT_LT(bits.words_used(), 1000U * 50 * 20);
}

TEST(BernoulliExpMinus, HeadsHaveProbabilityExpMinusX) {
  const test::Promise promise{.false_alarm = 2e-11, .miss = 5e-11, .shift = 0.003 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  struct Case {
    UInt128 numerator, denominator;
  };
  constexpr UInt128 kBeyond = UInt128{1} << 100U;  // a fraction cut to 64 bits would be 0/0
  std::uint64_t stream = 60;
  for (const Case& c : {Case{1, 1}, Case{1, 2}, Case{1, 1000}, Case{3, 2}, Case{5, 1}, Case{kHalf / 3, kHalf}, Case{kOnes, kOnes - 1},
                        Case{kBeyond / 7, kBeyond}}) {
    const double x = static_cast<double>(c.numerator) / static_cast<double>(c.denominator);
    test::declare_false_alarm(fmt::format("BernoulliExpMinus.HeadsHaveProbabilityExpMinusX/{:.4g}", x), promise.false_alarm);
    test::InsecureSeededBits bits(stream++);
    std::uint64_t heads = 0;
    for (std::uint64_t i = 0; i < plan.n; ++i) heads += bernoulli_exp_minus(c.numerator, c.denominator, bits) ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(heads) / static_cast<double>(plan.n), std::exp(-x), plan.threshold) << x;
  }
}

TEST(BernoulliExpMinus, TheSameDetectorSeesAnExponentWrongByThePromisedShift) {
  const test::Promise promise{.false_alarm = 2e-11, .miss = 5e-11, .shift = 0.003 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("BernoulliExpMinus.TheSameDetectorSeesAnExponentWrongByThePromisedShift", promise.miss);
  // exp(-1/2) claimed; x chosen so that exp(-x) = exp(-1/2) - shift.
  const double x = -std::log(std::exp(-0.5) - promise.shift);
  test::InsecureSeededBits bits(70);
  std::uint64_t heads = 0;
  const auto numerator = static_cast<std::uint64_t>(std::ceil(x * 1e9));
  for (std::uint64_t i = 0; i < plan.n; ++i) heads += bernoulli_exp_minus(numerator, 1'000'000'000, bits) ? 1 : 0;
  EXPECT_GE(std::fabs(static_cast<double>(heads) / static_cast<double>(plan.n) - std::exp(-0.5)), plan.threshold);
}

}  // namespace
}  // namespace tacet::exact::bernoulli_exp_test
