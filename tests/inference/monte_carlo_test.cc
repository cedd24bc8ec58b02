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

TEST(Simulate, TellsItsProgressToTheEnd) {
  std::vector<double> told;
  simulate({.draws = 100, .threads = 1, .progress = [&](double fraction) { told.push_back(fraction); }}, 8, uniforms());
  ASSERT_EQ(told.size(), 13);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 1);
}

TEST(CheckDraws, WantsEnoughOfThemForTheLevel) {
  EXPECT_TRUE(check_draws({.draws = 99}, 0.01).ok());
  EXPECT_EQ(check_draws({.draws = 98}, 0.01).error().name(), "draws");
  EXPECT_FALSE(check_draws({.draws = 0}, 0.5).ok());
  EXPECT_FALSE(check_draws({.draws = kMostDraws + 1}, 0.05).ok());
}

TEST(TablesInABlock, AreAMultipleOfEight) {
  EXPECT_EQ(tables_in_a_block(2), kMostTablesInABlock);
  EXPECT_EQ(tables_in_a_block(100), 160);
  EXPECT_EQ(tables_in_a_block(1'000'000), 8);
}

}  // namespace
}  // namespace tacet::inference
