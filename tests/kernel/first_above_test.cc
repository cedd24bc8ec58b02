#include "tacet/kernel/first_above.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/ledger_requests.h"
#include "kernel/purse.h"
#include "support/law.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::first_above_test {
namespace {

using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::mu_loss;

Sensitive<std::vector<std::int64_t>> number(std::int64_t value, std::int64_t most = 1) {
  return testing::sealed_for_patients(std::vector<std::int64_t>{value}, Sensitivity{Relation::ReplaceOne, most, most * most});
}

/// round(scale E), E exponential: the size of rounded Laplace noise.
struct Exponential {
  static constexpr std::size_t kMost = 400;
  std::vector<double> mass, tail;  // P[= j] and P[> j]

  explicit Exponential(double scale) {
    double sum = 0;
    for (std::size_t j = 0; j <= kMost; ++j) {
      const double one = test::probability(test::Family::Laplace, scale, static_cast<Int128>(j), static_cast<Int128>(j));
      mass.push_back(j == 0 ? one : 2 * one);
      sum += mass.back();
      tail.push_back(std::max(0.0, 1 - sum));
    }
  }
  /// P[statistic + noise > level].
  double above(std::int64_t statistic, std::size_t level) const {
    const std::int64_t beyond = static_cast<std::int64_t>(level) - statistic;
    if (beyond < 0) return 1;
    return beyond > static_cast<std::int64_t>(kMost) ? 0 : tail[static_cast<std::size_t>(beyond)];
  }
};

/// The noise of the level is the same for all statistics, as in FirstAbove, or wrongly drawn anew.
enum class Level : std::uint8_t { Once, Anew };

/// P[the first statistic above 0 is number i], i = 0, 1, ...; the last element: none is.
std::vector<double> law_of_first(const std::vector<std::int64_t>& statistics, const Exponential& level, const Exponential& own,
                                 Level drawn = Level::Once) {
  std::vector<double> law(statistics.size() + 1, 0);
  if (drawn == Level::Anew) {
    double before = 1;
    for (std::size_t i = 0; i < statistics.size(); ++i) {
      double is_above = 0;
      for (std::size_t t = 0; t < level.mass.size(); ++t) is_above += level.mass[t] * own.above(statistics[i], t);
      law[i] = before * is_above;
      before *= 1 - is_above;
    }
    law.back() = before;
    return law;
  }
  for (std::size_t t = 0; t < level.mass.size(); ++t) {
    double before = level.mass[t];
    for (std::size_t i = 0; i < statistics.size(); ++i) {
      const double is_above = own.above(statistics[i], t);
      law[i] += before * is_above;
      before *= 1 - is_above;
    }
    law.back() += before;
  }
  return law;
}

/// The largest privacy loss over neighbours whose statistics differ by 1 in any direction.
double worst_loss(std::size_t count, double level_scale, double own_scale, Level drawn = Level::Once) {
  const Exponential level(level_scale), own(own_scale);
  double worst = 0;
  for (std::int64_t at = -3; at <= 3; at += 3) {
    const std::vector<std::int64_t> one(count, at);
    const auto p = law_of_first(one, level, own, drawn);
    for (std::size_t signs = 0; signs < (std::size_t{1} << count); ++signs) {
      std::vector<std::int64_t> other = one;
      for (std::size_t i = 0; i < count; ++i) other[i] += ((signs >> i) & 1U) != 0 ? 1 : -1;
      const auto q = law_of_first(other, level, own, drawn);
      for (std::size_t i = 0; i < p.size(); ++i) worst = std::max(worst, std::abs(std::log(p[i] / q[i])));
    }
  }
  return worst;
}

TEST(FirstAboveLaw, LosesAtMostEpsilonHoweverManyStatisticsAreNotAbove) {
  // most/level + 2 most/own for most = 1.
  EXPECT_LE(worst_loss(1, 4, 8), 1 / 4.0 + 2 / 8.0 + 1e-9);
  EXPECT_LE(worst_loss(6, 4, 8), 1 / 4.0 + 2 / 8.0 + 1e-9);
  EXPECT_LE(worst_loss(6, 2, 16), 1 / 2.0 + 2 / 16.0 + 1e-9);
  EXPECT_GT(worst_loss(6, 4, 8), 0.9 * 0.5);
}

TEST(FirstAboveLaw, AuditFindsNoiseThatIsTooSmallAndALevelThatIsDrawnAnew) {
  EXPECT_GT(worst_loss(6, 4, 4), 0.5 + 0.05) << "the noise of a statistic pays for 2 most";
  EXPECT_GT(worst_loss(8, 4, 8, Level::Anew), 0.5 + 0.1) << "then every answer costs";
}

class FirstAboveTest : public ::testing::Test {
 protected:
  Result<FirstAbove> begin(const FirstAbove::Plan& plan, const privacy::Loss& loss = epsilon_loss("0.5")) {
    return FirstAbove::begin(plan, purse_.grant(loss), bits_);
  }
  testing::Purse purse_;
  test::InsecureSeededBits bits_{7};
};

TEST_F(FirstAboveTest, AnswersHaveTheLawOfTheTheorem) {
  const std::vector<std::int64_t> statistics = {-3, 1, -1, 2};
  const auto law = law_of_first(statistics, Exponential(4), Exponential(8));
  constexpr std::uint64_t kTrials = 10'000;
  constexpr double kFalseAlarm = 1e-9;
  test::declare_false_alarm("first above", kFalseAlarm);
  std::vector<test::Event> events;
  for (const double p : law) events.push_back({"first", p});
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    FirstAbove first = *begin({1, 4, 8});
    std::size_t i = 0;
    // The distance from the centre counts: 10 - 10 - 3 is as far as 3, above the level 6.
    while (i < statistics.size() && !*first.ask(number(10 - (statistics[i] + 6)), /*centre=*/10, /*level=*/6, bits_)) ++i;
    ++events[i].count;
  }
  const auto verdict = test::judge(events, kTrials, kFalseAlarm);
  EXPECT_FALSE(verdict.red) << verdict.worst;
  // Planted: the law of a level without noise.
  std::vector<test::Event> wrong = events;
  const auto without = law_of_first(statistics, Exponential(1e-3), Exponential(8));
  for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i].probability = without[i];
  EXPECT_TRUE(test::judge(wrong, kTrials, kFalseAlarm).red);
}

TEST_F(FirstAboveTest, NothingIsAnsweredAfterTheFirstThatIsAbove) {
  FirstAbove first = *begin({1, 4, 8});
  EXPECT_FALSE(*first.ask(number(0), 0, 100'000, bits_));
  EXPECT_FALSE(*first.ask(number(0), 0, 100'000, bits_));
  EXPECT_TRUE(*first.ask(number(100'000), 0, 0, bits_));
  EXPECT_THAT(first.ask(number(0), 0, 100'000, bits_).error().message(), HasSubstr("nothing was paid for"));
  FirstAbove moved = *begin({1, 4, 8});
  const FirstAbove other = std::move(moved);
  EXPECT_FALSE(moved.ask(number(0), 0, 100'000, bits_).ok());  // NOLINT(bugprone-use-after-move): it is spent
}

TEST_F(FirstAboveTest, AFailureEndsIt) {
  FirstAbove first = *begin({1, 4, 8});
  EXPECT_FALSE(first.ask(number(0, /*most=*/2), 0, 100'000, bits_).ok()) << "one person changes it by more than was paid for";
  EXPECT_FALSE(first.ask(number(0), 0, 100'000, bits_).ok());

  FirstAbove second = *begin({1, 4, 8});
  test::FailingBits none(0);
  EXPECT_EQ(second.ask(number(0), 0, 100'000, none).error().code(), Code::EntropyUnavailable);
  EXPECT_FALSE(second.ask(number(0), 0, 100'000, bits_).ok());

  FirstAbove third = *begin({2, 8, 16});
  auto two = testing::sealed_for_patients(std::vector<std::int64_t>{1, 2}, Sensitivity{Relation::ReplaceOne, 2, 2});
  EXPECT_FALSE(third.ask(std::move(two), 0, 100'000, bits_).ok());
  EXPECT_EQ(FirstAbove::begin({1, 4, 8}, purse_.grant(epsilon_loss("0.5")), none).error().code(), Code::EntropyUnavailable);
}

TEST_F(FirstAboveTest, EveryFailureSaysWhatWasSpent) {
  const auto spent = HasSubstr("was spent (entry ");
  test::FailingBits none(0);
  EXPECT_THAT(FirstAbove::begin({1, 4, 8}, purse_.grant(epsilon_loss("0.5")), none).error().spent(), spent);
  EXPECT_THAT(begin({1, 2, 8}).error().spent(), spent);
  EXPECT_THAT(begin({1, NAN, 8}).error().spent(), spent);
  FirstAbove first = *begin({1, 4, 8});
  EXPECT_THAT(first.ask(number(0), 0, 100'000, none).error().spent(), spent);
  EXPECT_THAT(first.ask(number(0), 0, 100'000, bits_).error().spent(), spent);
}

TEST_F(FirstAboveTest, NoiseIsProvenBeforeItIsDrawn) {
  EXPECT_TRUE(begin({1, 4, 8}, epsilon_loss("0.5")).ok());
  EXPECT_FALSE(begin({1, 4, 8}, epsilon_loss("0.499999999")).ok());
  EXPECT_FALSE(begin({1, 4 * (1 - 1e-12), 8}, epsilon_loss("0.5")).ok());
  EXPECT_FALSE(begin({1, 4, 8 * (1 - 1e-12)}, epsilon_loss("0.5")).ok());
  EXPECT_FALSE(begin({1, 0, 8}, epsilon_loss("0.5")).ok());
  EXPECT_FALSE(begin({1, 4, -8}, epsilon_loss("0.5")).ok());
  EXPECT_FALSE(begin({1, 4, HUGE_VAL}, epsilon_loss("0.5")).ok());
  EXPECT_FALSE(begin({1, 4, NAN}, epsilon_loss("0.5")).ok());
  // epsilon = 0.5 needs mu = 0.62389 and no less.
  EXPECT_TRUE(begin({1, 4, 8}, mu_loss("0.6239")).ok());
  EXPECT_FALSE(begin({1, 4, 8}, mu_loss("0.6238")).ok());
}

TEST_F(FirstAboveTest, TheLargestNumbersDoNotOverflow) {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  const double scale = 0x1p60;
  FirstAbove first = *begin({1, scale, scale});
  EXPECT_TRUE(*first.ask(number(largest), least, least, bits_));
  FirstAbove second = *begin({1, 4, 8});
  EXPECT_FALSE(*second.ask(number(largest), largest, largest, bits_));
}

}  // namespace
}  // namespace tacet::kernel::first_above_test
