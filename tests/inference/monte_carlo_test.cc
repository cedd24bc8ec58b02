// A p-value from draws: its ranks, its level where everything is exchangeable, and its independence
// of threads.
#include "tacet/inference/monte_carlo.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::inference {
namespace {

std::function<BlockOfTables()> uniforms() {
  return []() -> BlockOfTables { return [](numeric::InsecureStream& stream, std::span<double> out) { stream.fill_uniform(out); }; };
}

TEST(Compare, CountsTheObservedStatisticAmongTheDraws) {
  const std::vector<double> null = {5, 1, 4, 2, 3, 9, 7, 8, 6};  // 9 draws
  EXPECT_DOUBLE_EQ(compare(8.5, null, 0.2).p_value, 0.2);
  EXPECT_DOUBLE_EQ(compare(8, null, 0.2).p_value, 0.3);  // an equal draw counts against
  EXPECT_DOUBLE_EQ(compare(100, null, 0.2).p_value, 0.1);
  EXPECT_DOUBLE_EQ(compare(-1, null, 0.2).p_value, 1);
  EXPECT_DOUBLE_EQ(compare(0, null, 0.2).critical, 8);  // the ceil(10 * 0.8)-th smallest
  EXPECT_DOUBLE_EQ(compare(0, null, 0.1).critical, 9);
  EXPECT_DOUBLE_EQ(compare(0, null, 0.15).critical, 9);
}

TEST(Compare, RejectsExactlyAboveTheCriticalValue) {
  const auto null = simulate({.draws = 999, .seed = 3}, 64, uniforms());
  for (const double alpha : {0.001, 0.01, 0.05, 0.5}) {
    const double critical = compare(0, null, alpha).critical;
    EXPECT_LE(compare(std::nextafter(critical, 2), null, alpha).p_value, alpha);
    EXPECT_GT(compare(critical, null, alpha).p_value, alpha);
  }
}

// Red where the level is not exactly 0.05: 200,000 tests see 0.0465 or 0.0535, and #/B in place of
// (1 + #)/(B + 1), which rejects 0.1 of the time.
TEST(Compare, HasItsLevelExactly) {
  test::declare_false_alarm("level of Monte Carlo p-values", 2e-10);
  const auto trials = static_cast<std::uint64_t>(200'000 / test::coarseness());
  numeric::InsecureStream stream(test::suite_seed(), 1);
  std::uint64_t rejected = 0;
  std::vector<double> drawn(20);
  for (std::uint64_t i = 0; i < trials; ++i) {
    stream.fill_uniform(drawn);
    rejected += compare(drawn[0], {drawn.begin() + 1, drawn.end()}, 0.05).p_value <= 0.05 ? 1 : 0;
  }
  EXPECT_GT(test::binomial_upper(trials, 0.05, rejected), 1e-10);
  EXPECT_GT(test::binomial_upper(trials, 0.95, trials - rejected), 1e-10);
}

TEST(Simulate, IsTheSameForEveryNumberOfThreads) {
  const auto one = simulate({.draws = 1001, .seed = 5, .threads = 1}, 16, uniforms());
  EXPECT_EQ(one.size(), 1001);
  EXPECT_EQ(simulate({.draws = 1001, .seed = 5, .threads = 3}, 16, uniforms()), one);
  EXPECT_NE(simulate({.draws = 1001, .seed = 6, .threads = 1}, 16, uniforms()), one);
  EXPECT_TRUE(std::equal(one.begin(), one.begin() + 500, simulate({.draws = 500, .seed = 5}, 16, uniforms()).begin()));
}

TEST(Simulate, StopsWhereEnoughDrawsHaveReachedTheStatistic) {
  const auto all = simulate({.draws = 9999, .seed = 5, .threads = 1}, 16, uniforms());
  const auto some = simulate({.draws = 9999, .seed = 5, .threads = 1}, 0.7, 16, uniforms());
  ASSERT_LT(some.size(), 1600);  // about 400/0.3
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
  EXPECT_GE(some.back(), 0.7);
  EXPECT_EQ(std::count_if(some.begin(), some.end(), [](double t) { return t >= 0.7; }), kEnoughReached);
  EXPECT_EQ(simulate({.draws = 9999, .seed = 5, .threads = 3}, 0.7, 16, uniforms()), some);
  EXPECT_EQ(simulate({.draws = 9999, .seed = 5}, 0.99, 16, uniforms()), all);  // too few reach it
  EXPECT_DOUBLE_EQ(compare(0.7, some, 0.05, /*stopped=*/true).p_value, 400 / static_cast<double>(some.size()));
}

TEST(Compare, RejectsExactlyAboveTheCriticalValueOfDrawsThatStopped) {
  for (std::size_t draws = 7990; draws <= 8030; ++draws) {
    std::vector<double> null(draws, 0.0);
    for (std::size_t i = 0; i < 400; ++i) null[draws - 1 - i] = 1 + static_cast<double>(i);  // the last reaches it
    const MonteCarloAnswer answer = compare(1, null, 0.05, /*stopped=*/true);
    EXPECT_EQ(answer.p_value <= 0.05, 1 > answer.critical) << draws;
  }
}

// Red where the p-value of draws that may stop does not have its level: 20,000 tests see a level
// of 0.1 that is 0.013 off, and one of 0.5 that is 0.023 off.
TEST(Simulate, KeepsTheLevelWhereItStops) {
  test::declare_false_alarm("level of p-values of draws that stop", 4e-10);
  const auto trials = static_cast<std::uint64_t>(20'000 / test::coarseness());
  numeric::InsecureStream stream(test::suite_seed(), 2);
  std::uint64_t at_once = 0;
  std::uint64_t later = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    double observed = 0;
    stream.fill_uniform({&observed, 1});
    constexpr std::size_t kMost = 1199;
    auto drawn = simulate({.draws = kMost, .seed = stream.word(), .threads = 1}, observed, 64, uniforms());
    const bool stopped = drawn.size() < kMost;
    const double p = compare(observed, std::move(drawn), 0.3, stopped).p_value;
    at_once += p <= 0.5 ? 1 : 0;  // reached by those that stop
    later += p <= 0.1 ? 1 : 0;    // and by those that do not
  }
  EXPECT_GT(test::binomial_upper(trials, 0.5, at_once), 1e-10);
  EXPECT_GT(test::binomial_upper(trials, 0.1, later), 1e-10);
  EXPECT_GT(test::binomial_upper(trials, 0.5, trials - at_once), 1e-10);
  EXPECT_GT(test::binomial_upper(trials, 0.9, trials - later), 1e-10);
}

TEST(UsualDraws, AreFewerForLargeTables) {
  EXPECT_EQ(usual_draws(4, 0.05), 9999);
  EXPECT_EQ(usual_draws(1600, 0.05), 9999);
  EXPECT_EQ(usual_draws(10'000, 0.05), 1999);
  EXPECT_EQ(usual_draws(90'000, 0.05), 999);
  EXPECT_EQ(usual_draws(90'000, 0.005), 3999);
  EXPECT_EQ(usual_draws(90'000, 1e-4), 9999);
  EXPECT_EQ(usual_draws(4, 1e-6), 999'999);
  EXPECT_TRUE(check_draws(usual_draws(4, 1e-6), 1e-6).ok());
}

TEST(Simulate, TellsItsProgressToTheEnd) {
  std::vector<double> told;
  simulate({.draws = 100, .threads = 1, .progress = [&](double fraction) { told.push_back(fraction); }}, 8, uniforms());
  ASSERT_EQ(told.size(), 13);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 1);
}

TEST(CheckDraws, WantsEnoughOfThemForTheLevel) {
  EXPECT_TRUE(check_draws(99, 0.01).ok());
  EXPECT_EQ(check_draws(98, 0.01).error().name(), "draws");
  EXPECT_FALSE(check_draws(0, 0.5).ok());
  EXPECT_FALSE(check_draws(kMostDraws + 1, 0.05).ok());
}

TEST(TablesInABlock, AreAMultipleOfEight) {
  EXPECT_EQ(tables_in_a_block(2), kMostTablesInABlock);
  EXPECT_EQ(tables_in_a_block(100), 160);
  EXPECT_EQ(tables_in_a_block(1'000'000), 8);
}

}  // namespace
}  // namespace tacet::inference
