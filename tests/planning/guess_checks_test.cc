#include "tacet/planning/guess_checks.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "tacet/planning/adaptive_width.h"

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::planning {
namespace {

constexpr GuessChecks kUsual{.n = 9000, .epsilon = 0.1, .checks = 1000, .batches = 3, .beta = 0.05};

TEST(CheckWidths, AgreeWithTheFormulasAsEvaluatedInPython) {
  const CheckWidths widths = *check_widths(kUsual);
  EXPECT_NEAR(widths.level, 0.0027777777777777775, 1e-15);
  EXPECT_NEAR(widths.own, 0.003703703703703704, 1e-15);
  EXPECT_NEAR(widths.allowance, 0.036679583527911584, 1e-14);
  EXPECT_NEAR(widths.file, 0.048052762867417415, 1e-14);
  EXPECT_NEAR(widths.population, 0.048052762867417415 + 0.0027777777777777775, 1e-14);
}

TEST(CheckWidths, FallWithPeopleAndEpsilonAndRiseWithChecksAndBatches) {
  const double usual = check_widths(kUsual)->file;
  const auto with = [](auto change) {
    GuessChecks checks = kUsual;
    change(checks);
    return check_widths(checks)->file;
  };
  EXPECT_LT(with([](GuessChecks& c) { c.n *= 2; }), usual);
  EXPECT_LT(with([](GuessChecks& c) { c.epsilon *= 2; }), usual);
  EXPECT_LT(with([](GuessChecks& c) { c.beta *= 2; }), usual);
  EXPECT_GT(with([](GuessChecks& c) { c.checks *= 2; }), usual);
  EXPECT_GT(with([](GuessChecks& c) { c.batches *= 2; }), usual);
}

TEST(CheckWidths, RefuseWhatIsOutsideOfTheirDomain) {
  const auto refused = [](auto change) {
    GuessChecks checks = kUsual;
    change(checks);
    return !check_widths(checks).ok();
  };
  EXPECT_TRUE(refused([](GuessChecks& c) { c.n = 0; }));
  EXPECT_TRUE(refused([](GuessChecks& c) { c.epsilon = 0; }));
  EXPECT_TRUE(refused([](GuessChecks& c) { c.epsilon = NAN; }));
  EXPECT_TRUE(refused([](GuessChecks& c) { c.checks = 0.5; }));
  EXPECT_TRUE(refused([](GuessChecks& c) { c.batches = 0; }));
  EXPECT_TRUE(refused([](GuessChecks& c) { c.beta = 1; }));
}

/// Of `trials` batches: how many confirm a guess that is `off` from the rows and has no tolerance,
/// asked once; and how many reject one of `checks` guesses that are `off`.
struct SimulatedBatches {
  std::uint64_t confirmed = 0, rejected = 0;
};
SimulatedBatches simulate_batches(const CheckWidths& widths, double checks, double off, std::uint64_t trials) {
  test::InsecureStream stream(test::suite_seed());
  const auto exponential = [&](double scale) { return -scale * std::log((static_cast<double>(stream.next() >> 11U) + 0.5) * 0x1p-53); };
  SimulatedBatches found;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const double level = widths.allowance + exponential(widths.level);
    bool rejected = off + exponential(widths.own) > level;
    if (!rejected) ++found.confirmed;
    for (double more = 1; more < checks && !rejected; ++more) rejected = off + exponential(widths.own) > level;
    if (rejected) ++found.rejected;
  }
  return found;
}

TEST(CheckWidths, KeepTheirPromisesAndA30PercentSmallerWidthDoesNot) {
  constexpr std::uint64_t kTrials = 20'000;
  constexpr double kFalseAlarm = 1e-9;
  test::declare_false_alarm("check widths", 2 * kFalseAlarm);
  constexpr GuessChecks few{.n = 9000, .epsilon = 0.1, .checks = 50, .batches = 3, .beta = 0.05};
  const CheckWidths widths = *check_widths(few);
  // Right guesses: none of the batch is rejected, except with probability beta.
  const SimulatedBatches right = simulate_batches(widths, few.checks, 0, kTrials);
  EXPECT_GT(test::binomial_upper(kTrials, few.beta, right.rejected), kFalseAlarm);
  EXPECT_GT(right.rejected, kTrials / 100) << "the allowance is far larger than it must be";
  // Wrong guesses: with all batches, none is confirmed, except with probability beta.
  const SimulatedBatches wrong = simulate_batches(widths, 1, widths.file, kTrials);
  EXPECT_GT(test::binomial_upper(kTrials, few.beta / few.batches, wrong.confirmed), kFalseAlarm);
  const SimulatedBatches planted = simulate_batches(widths, 1, 0.7 * widths.file, kTrials);
  EXPECT_LT(test::binomial_upper(kTrials, few.beta / few.batches, planted.confirmed), kFalseAlarm);
  CheckWidths hasty = widths;
  hasty.allowance *= 0.7;
  EXPECT_LT(test::binomial_upper(kTrials, few.beta, simulate_batches(hasty, few.checks, 0, kTrials).rejected), kFalseAlarm);
}

TEST(SelectionWidth, IsThePartOfTheWidthThatNoiseDoesNotChange) {
  const AdaptiveQueries queries{1e4, 100, 0.05};
  for (const WholePromise& promise : {WholePromise(GdpPromise{0.05}), WholePromise(ZcdpPromise{0.001})}) {
    const double one = *cvar_width_within(queries, 0.02, promise), two = *cvar_width_within(queries, 0.04, promise);
    EXPECT_NEAR(*selection_width(0.05, promise), 2 * one - two, 1e-12);
  }
  EXPECT_FALSE(selection_width(0.05, GdpPromise{0}).ok());
  EXPECT_FALSE(selection_width(1, GdpPromise{1}).ok());
}

}  // namespace
}  // namespace tacet::planning
