// Proportions and their comparisons: values without noise, and coverage with noise and sampling.
#include "tacet/inference/counts/proportion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/inference/counts/proportion_pair.h"

#include "inference/drawn_table.h"

namespace tacet::inference {
namespace {

using ::testing::HasSubstr;

constexpr double kFalseAlarmOfCoverage = 5e-12;
constexpr std::uint64_t kDrawnTables = 250;
// A 3 x 2 table: the second column among the first row (bits 0 and 1) and among the second (2, 3).
const std::vector<GroupMask> kRowGroups = {2, 3, 8, 12, 0, 0};
const std::vector<double> kEven = {0.2, 0.15, 0.2, 0.1, 0.2, 0.15};
const std::vector<double> kRare = {0.3, 0.02, 0.31, 0.03, 0.3, 0.04};

double part_of(const std::vector<double>& t, std::size_t row) { return t[2 * row + 1] / (t[2 * row] + t[2 * row + 1]); }

double measured(const std::vector<double>& t, Measure measure) {
  const double p = part_of(t, 0);
  const double q = part_of(t, 1);
  if (measure == Measure::Difference) return p - q;
  return measure == Measure::Ratio ? p / q : p * (1 - q) / (q * (1 - p));
}

mechanisms::CountRelease four_cells() { return release_of({650, 50, 200, 100}, {2, 2}, 1000, gaussian(1e-3)); }
const std::vector<GroupMask> kSecondThenFirst = {8, 12, 2, 3};

// Clopper and Pearson's limits of 100 of 300 and 50 of 700, by bisection of binomial sums.
TEST(Proportion, WithoutNoiseIsClopperAndPearsons) {
  const GroupedCells cells(four_cells(), kSecondThenFirst);
  const Proportion p = estimate_proportion(cells, {0, 1}, 0.05);
  EXPECT_NEAR(*p.estimate, 1.0 / 3, 1e-12);
  EXPECT_NEAR(p.population.lower, 0.2802048455295061, 1e-6);
  EXPECT_NEAR(p.population.upper, 0.38979241293949773, 1e-6);
  EXPECT_NEAR(p.file.lower, 1.0 / 3, 1e-4);
  EXPECT_NEAR(p.file.upper, 1.0 / 3, 1e-4);
  EXPECT_NEAR(p.people, 300, 1e-9);
  const Proportion other = estimate_proportion(cells, {2, 3}, 0.05);
  EXPECT_NEAR(other.population.lower, 0.05347716737172051, 1e-6);
  EXPECT_NEAR(other.population.upper, 0.09308825363794607, 1e-6);
}

TEST(Proportion, WithoutNoiseNobodyIsARightAnswer) {
  const auto release = release_of({20, 0}, {2}, 20, laplace(1e-4));
  const Proportion p = estimate_proportion(GroupedCells(release, std::vector<GroupMask>{2, 3}), {0, 1}, 0.05);
  EXPECT_EQ(*p.estimate, 0);
  EXPECT_EQ(p.population.lower, 0);
  EXPECT_NEAR(p.population.upper, 0.16843347098308536, 1e-6);
}

TEST(Proportion, OfAGroupThatMayBeEmptyIsUnknown) {
  const auto release = release_of({6, 5, 500, 400}, {4}, std::nullopt, gaussian(8));
  const Proportion p = estimate_proportion(GroupedCells(release, std::vector<GroupMask>{2, 3, 0, 0}), {0, 1}, 0.05);
  EXPECT_FALSE(p.estimate);
  ASSERT_TRUE(p.reason);
  EXPECT_THAT(*p.reason, HasSubstr("its number of people cannot be told from 0"));
  EXPECT_EQ(p.population.lower, 0);
  EXPECT_EQ(p.population.upper, 1);
}

TEST(Proportion, WithAPublicTotalOfTheFileIsTheExactQuantileOfTheNoise) {
  const auto release = release_of({320, 690}, {2}, 1000, gaussian(8));
  const Proportion p = estimate_proportion(GroupedCells(release, std::vector<GroupMask>{3, 2}), {0, 1}, 0.05);
  // The total is kept: 320 - 5, and half the variance remains.
  EXPECT_NEAR(*p.estimate, 0.315, 1e-12);
  EXPECT_NEAR(p.file.upper, 0.315 + 1.959963984540054 * 8 / std::sqrt(2.0) / 1000, 1e-7);
}

TEST(Proportion, IntervalsKeepTheirCoverage) {
  for (const auto& [p, n] : {std::pair{kEven, 400.0}, std::pair{kRare, 400.0}, std::pair{kEven, 3000.0}}) {
    for (const TableSetting& setting : noisy_settings({3, 2}, p, n)) {
      const Misses missed = count_misses(setting, kDrawnTables, [&](const DrawnTable& t, std::uint64_t) {
        const Proportion found = estimate_proportion(GroupedCells(t.release, kRowGroups), {0, 1}, 0.05);
        return Missed{outside(found.file, part_of(t.counts, 0)), outside(found.population, part_of(setting.p, 0))};
      });
      const auto file = too_often("file, " + setting.name, missed.file, kDrawnTables, kFalseAlarmOfCoverage);
      const auto population = too_often("population, " + setting.name, missed.population, kDrawnTables, kFalseAlarmOfCoverage);
      EXPECT_FALSE(file.red) << file.worst;
      EXPECT_FALSE(population.red) << population.worst;
    }
  }
  test::declare_false_alarm("coverage of proportions", 30 * kFalseAlarmOfCoverage);
}

// Intervals that forget the noise miss in more than half of the tables, and are caught.
TEST(Proportion, CoverageTestCatchesAnIntervalThatForgetsTheNoise) {
  for (const TableSetting& setting : noisy_settings({3, 2}, kEven, 400, 40)) {
    const Misses missed = count_misses(setting, kDrawnTables, [&](const DrawnTable& t, std::uint64_t) {
      const Proportion found = estimate_proportion(GroupedCells(without_noise(t.release), kRowGroups), {0, 1}, 0.05);
      return Missed{false, outside(found.population, part_of(setting.p, 0))};
    });
    EXPECT_TRUE(too_often(setting.name, missed.population, kDrawnTables, kFalseAlarmOfCoverage).red) << missed.population;
  }
  test::declare_false_alarm("planted fault in coverage of proportions",
                            5 * test::chance_to_miss(0.05, 0.5, kDrawnTables, 1, kFalseAlarmOfCoverage));
}

// Zou and Donner's formulas with the limits above.
TEST(ProportionPair, WithoutNoiseAgreesWithTheFormulas) {
  const GroupedCells cells(four_cells(), kSecondThenFirst);
  const auto compare = [&](Measure measure) { return compare_proportions(cells, {0, 1}, {2, 3}, measure, 0.05); };
  const Comparison difference = compare(Measure::Difference);
  EXPECT_NEAR(*difference.estimate, 1.0 / 3 - 1.0 / 14, 1e-12);
  EXPECT_NEAR(difference.population.lower, 0.20453074296123203, 1e-6);
  EXPECT_NEAR(difference.population.upper, 0.3211490070057633, 1e-6);
  const Comparison ratio = compare(Measure::Ratio);
  EXPECT_NEAR(*ratio.estimate, 14.0 / 3, 1e-9);
  EXPECT_NEAR(ratio.population.lower, 3.396282377052892, 1e-5);
  EXPECT_NEAR(ratio.population.upper, 6.475997933082741, 1e-5);
  const Comparison odds = compare(Measure::OddsRatio);
  EXPECT_NEAR(*odds.estimate, 6.5, 1e-9);
  EXPECT_NEAR(odds.population.lower, 4.436624072854544, 1e-5);
  EXPECT_NEAR(odds.population.upper, 9.638840141729217, 1e-5);
  EXPECT_NEAR(odds.file.lower, 6.5, 1e-2);
}

TEST(ProportionPair, ADenominatorNear0HasNoUpperEndAndSaysSo) {
  const auto release = release_of({300, 40, 300, 3}, {2, 2}, std::nullopt, gaussian(8));
  const Comparison ratio =
      compare_proportions(GroupedCells(release, std::vector<GroupMask>{2, 3, 8, 12}), {0, 1}, {2, 3}, Measure::Ratio, 0.05);
  EXPECT_GT(ratio.population.lower, 0);
  EXPECT_TRUE(std::isinf(ratio.population.upper));
  ASSERT_TRUE(ratio.reason);
  EXPECT_THAT(*ratio.reason, HasSubstr("so there is no upper end"));
}

TEST(ProportionPair, AnEmptyGroupWithoutNoiseHasOddsOf0) {
  const auto release = release_of({300, 0, 280, 20}, {2, 2}, 600, gaussian(1e-12));
  const Comparison odds =
      compare_proportions(GroupedCells(release, std::vector<GroupMask>{2, 3, 8, 12}), {0, 1}, {2, 3}, Measure::OddsRatio, 0.05);
  EXPECT_EQ(odds.population.lower, 0);
  EXPECT_GT(odds.population.upper, 0);
  EXPECT_LT(odds.population.upper, 1);
}

TEST(ProportionPair, OfOneGroupKnowsThatItsPartsAreNegativelyCorrelated) {
  // Two of three categories of the same people: Var(p - q) = (p + q - (p - q)^2)/n.
  const auto release = release_of({4000, 3000, 3000}, {3}, 10'000, gaussian(1e-3));
  const Comparison found =
      compare_proportions(GroupedCells(release, std::vector<GroupMask>{11, 14, 10}), {0, 1}, {2, 3}, Measure::Difference, 0.05);
  EXPECT_NEAR((found.population.upper - found.population.lower) / 2, 1.96 * std::sqrt((0.7 - 0.01) / 10'000), 2e-4);
}

TEST(ProportionPair, IntervalsKeepTheirCoverage) {
  for (const Measure measure : {Measure::Difference, Measure::Ratio, Measure::OddsRatio}) {
    for (const TableSetting& setting : noisy_settings({3, 2}, measure == Measure::Ratio ? kRare : kEven, 500)) {
      const Misses missed = count_misses(setting, kDrawnTables, [&](const DrawnTable& t, std::uint64_t) {
        const Comparison found = compare_proportions(GroupedCells(t.release, kRowGroups), {0, 1}, {2, 3}, measure, 0.05);
        return Missed{outside(found.file, measured(t.counts, measure)), outside(found.population, measured(setting.p, measure))};
      });
      const auto file = too_often("file, " + setting.name, missed.file, kDrawnTables, kFalseAlarmOfCoverage);
      const auto population = too_often("population, " + setting.name, missed.population, kDrawnTables, kFalseAlarmOfCoverage);
      EXPECT_FALSE(file.red) << name(measure) << " " << file.worst;
      EXPECT_FALSE(population.red) << name(measure) << " " << population.worst;
    }
  }
  test::declare_false_alarm("coverage of compared proportions", 30 * kFalseAlarmOfCoverage);
}

TEST(ProportionPair, CoverageTestCatchesIntervalsThatForgetTheNoise) {
  for (const Measure measure : {Measure::Difference, Measure::Ratio, Measure::OddsRatio}) {
    const TableSetting setting = noisy_settings({3, 2}, kEven, 400, 40)[1];
    const Misses missed = count_misses(setting, kDrawnTables, [&](const DrawnTable& t, std::uint64_t) {
      const Comparison found = compare_proportions(GroupedCells(without_noise(t.release), kRowGroups), {0, 1}, {2, 3}, measure, 0.05);
      return Missed{false, outside(found.population, measured(setting.p, measure))};
    });
    EXPECT_TRUE(too_often(std::string(name(measure)), missed.population, kDrawnTables, kFalseAlarmOfCoverage).red) << missed.population;
  }
  test::declare_false_alarm("planted fault in coverage of compared proportions",
                            3 * test::chance_to_miss(0.05, 0.5, kDrawnTables, 1, kFalseAlarmOfCoverage));
}

}  // namespace
}  // namespace tacet::inference
