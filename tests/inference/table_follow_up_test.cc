// Cramer's V, residuals, trends and strata: values without noise, levels and coverage with noise
// and sampling.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/inference/counts/cramers_v.h"
#include "tacet/inference/counts/residuals.h"
#include "tacet/inference/counts/stratified.h"
#include "tacet/inference/counts/trend.h"

#include "inference/drawn_table.h"

namespace tacet::inference {
namespace {

using ::testing::HasSubstr;

constexpr double kFalseAlarmOfTables = 5e-12;
constexpr std::uint64_t kTablesOfATest = 400;
constexpr double kFaultyLevel = 0.3;

Simulation short_simulation(std::uint64_t seed) { return {.draws = 199, .seed = seed, .threads = 1}; }
GofOptions short_test(std::uint64_t seed) { return {.alpha = 0.05, .simulation = short_simulation(seed)}; }

const std::vector<double> kNoTrend = {0.06, 0.1, 0.04, 0.24, 0.4, 0.16};
const std::vector<double> kThreeStrata = {
    0.12, 0.06, 0.12, 0.06, 0.02, 0.06, 0.06, 0.18, 0.1, 0.05, 0.1133333333333333, 0.0566666666666667};

CollapsedTable cells_apart(const mechanisms::CountRelease& release) {
  return {release, each_cell(release.values.size()), release.values.size()};
}

TEST(CollapsedTable, VariancesAreThoseOfTheDraws) {
  // Cells 0 and 1 are added up, the last is left out.
  const std::vector<double> weights = {1, -0.5};
  for (const TableSetting& setting : noisy_settings({4}, {0.3, 0.3, 0.2, 0.2}, 1000)) {
    numeric::InsecureStream first(1, 1);
    const CollapsedTable table(draw_table(setting, first).release, std::vector<std::size_t>{0, 0, 1, 2}, 2);
    double squares = 0;
    constexpr int kDraws = 20'000;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      numeric::InsecureStream stream(7, i);
      const std::vector<double> drawn = table.draw(stream, 0, {0.5, 0.5});
      const double sum = drawn[0] - 0.5 * drawn[1];
      squares += sum * sum / kDraws;
    }
    // The seed is fixed: the draws differ from the variance by chance of their own, below 4 %.
    EXPECT_NEAR(squares / table.noise(weights, 0).variance(), 1, 0.05) << setting.name;
    EXPECT_NEAR(table.noise_covariance(weights, weights) / table.noise(weights, 0).variance(), 1, 1e-9) << setting.name;
  }
}

TEST(CollapsedTable, KeepsAPublicTotal) {
  const auto release = release_of({10, 20, 40}, {3}, 100, gaussian(2));
  EXPECT_NEAR(CollapsedTable(release, each_cell(3), 3).people(), 100, 1e-9);
  EXPECT_NEAR(CollapsedTable(release, std::vector<std::size_t>{0, 0, 1}, 1).values()[0], 50, 1e-9);
}

// sqrt(chi-square/n) of the table: 0.33607...
TEST(CramersV, WithoutNoiseIsThatOfTheTable) {
  const CramersV v = *estimate_cramers_v(cells_apart(release_of({650, 50, 200, 100}, {2, 2}, 1000, gaussian(1e-3))), {2, 2},
                                         {.simulation = {.draws = 999}});
  EXPECT_NEAR(*v.estimate, 120.0 / std::sqrt(0.7 * 0.3 * 0.85 * 0.15) / 1000 * (55.0 / 120), 1e-3);
  EXPECT_NEAR(v.file.lower, *v.estimate, 1e-3);
  EXPECT_NEAR(v.file.upper, *v.estimate, 1e-3);
  // The delta method has the standard error 0.0332.
  EXPECT_NEAR(v.population.lower, 0.271, 0.015);
  EXPECT_NEAR(v.population.upper, 0.401, 0.015);
}

TEST(CramersV, OfNobodyIsUnknownAndOfManyCellsRefused) {
  EXPECT_THAT(*estimate_cramers_v(cells_apart(release_of({1, -9, 2, 3}, {2, 2}, std::nullopt, gaussian(8))), {2, 2}, {})->reason,
              HasSubstr("sum to less than one person"));
  EXPECT_EQ(*estimate_cramers_v(cells_apart(release_of({5, 6, 0, 0}, {2, 2}, 11, gaussian(0.01))), {2, 2}, {})->reason,
            "the nearest possible table has a single row or column, or exactly independent ones");
  EXPECT_EQ(estimate_cramers_v(cells_apart(release_of({1, 2, 3, 4}, {2, 2}, 10, gaussian(8))), {2, 2}, {.alpha = 1e-4}).error().name(),
            "confidence");
  const auto large =
      estimate_cramers_v(cells_apart(release_of(std::vector<double>(40'000, 1), {200, 200}, 40'000, gaussian(8))), {200, 200}, {});
  EXPECT_THAT(large.error().message(), HasSubstr("at most 10000 cells, and there are 40000"));
}

std::vector<TableSetting> settings_of_v(double scale) {
  std::vector<TableSetting> settings = noisy_settings({2, 3}, {0.04, 0.1, 0.12, 0.3, 0.36, 0.08}, 500, scale);
  return {settings[0], settings[1], settings[3]};
}
constexpr std::uint64_t kTablesOfV = 60;
CramersVOptions short_v(std::uint64_t seed) { return {.simulation = {.draws = 150, .seed = seed, .threads = 1}}; }

TEST(CramersV, KeepsItsCoverage) {
  for (const TableSetting& setting : settings_of_v(8)) {
    const Misses missed = count_misses(setting, kTablesOfV, [&](const DrawnTable& t, std::uint64_t seed) {
      const CramersV v = *estimate_cramers_v(cells_apart(t.release), {2, 3}, short_v(seed));
      return Missed{outside(v.file, cramers_v({2, 3}, t.counts)), outside(v.population, cramers_v({2, 3}, setting.p))};
    });
    EXPECT_FALSE(too_often("file", missed.file, kTablesOfV, kFalseAlarmOfTables).red) << setting.name << " " << missed.file;
    EXPECT_FALSE(too_often("population", missed.population, kTablesOfV, kFalseAlarmOfTables).red)
        << setting.name << " " << missed.population;
  }
  test::declare_false_alarm("coverage of Cramer's V", 6 * kFalseAlarmOfTables);
}

// Without regard to the noise, an interval for the file is a point: it misses nearly always.
TEST(CramersV, CoverageTestCatchesAnIntervalThatForgetsTheNoise) {
  const TableSetting setting = settings_of_v(8)[0];
  const Misses missed = count_misses(setting, kTablesOfV, [&](const DrawnTable& t, std::uint64_t seed) {
    return Missed{
        outside(estimate_cramers_v(cells_apart(without_noise(t.release)), {2, 3}, short_v(seed))->file, cramers_v({2, 3}, t.counts)),
        false};
  });
  EXPECT_TRUE(too_often("file", missed.file, kTablesOfV, kFalseAlarmOfTables).red) << missed.file;
  test::declare_false_alarm("planted fault in Cramer's V", test::chance_to_miss(0.05, 0.9, kTablesOfV, 1, kFalseAlarmOfTables));
}

// Haberman's adjusted residuals of [[10, 20, 30], [90, 80, 70]].
TEST(Residuals, WithoutNoiseAreHabermans) {
  const auto release = release_of({10, 20, 30, 90, 80, 70}, {2, 3}, 300, gaussian(1e-3));
  const CellResiduals found = *adjusted_residuals(cells_apart(release), {2, 3}, {});
  const std::vector<double> expected = {-3.0618621784789726, 0, 3.0618621784789726, 3.0618621784789726, 0, -3.0618621784789726};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(found.residuals[i], expected[i], 1e-5);
  EXPECT_NEAR(found.expected[0], 20, 1e-9);
  EXPECT_LT(found.p_values[0], 0.02);
  EXPECT_GT(found.p_values[1], 0.9);
  EXPECT_NEAR(*found.critical, 2.3, 0.15);
}

TEST(Residuals, AreUnknownWithoutPeople) {
  EXPECT_EQ(*adjusted_residuals(cells_apart(release_of({1, -9, 2, 3}, {2, 2}, std::nullopt, gaussian(8))), {2, 2}, {})->reason,
            "the noisy counts sum to less than one person");
  EXPECT_EQ(*adjusted_residuals(cells_apart(release_of({5, 6, 0, 0}, {2, 2}, 11, gaussian(0.01))), {2, 2}, {})->reason,
            "a row or a column of the denoised table is empty");
  EXPECT_EQ(adjusted_residuals(cells_apart(release_of({5, 6, 0, 0}, {2, 2}, 11, gaussian(0.01))), {2, 2}, {.alpha = 0.7}).error().name(),
            "alpha");
  const auto large = release_of(std::vector<double>(40'000, 1), {200, 200}, 40'000, gaussian(8));
  EXPECT_THAT(adjusted_residuals(cells_apart(large), {200, 200}, {}).error().message(),
              HasSubstr("at most 10000 cells, and there are 40000"));
}

/// A test whose level is measured, and the same with the noise forgotten.
template <class Rejects>
void expect_level(const std::string& named, const std::vector<TableSetting>& settings, const Rejects& rejects) {
  for (const TableSetting& setting : settings) {
    const Misses rejected = count_misses(setting, kTablesOfATest,
                                         [&](const DrawnTable& t, std::uint64_t seed) { return Missed{false, rejects(t.release, seed)}; });
    const auto verdict = too_often(setting.name, rejected.population, kTablesOfATest, kFalseAlarmOfTables);
    EXPECT_FALSE(verdict.red) << verdict.worst;
  }
  test::declare_false_alarm("level of " + named, static_cast<double>(settings.size()) * kFalseAlarmOfTables);
}

template <class Rejects>
void expect_fault_caught(const std::string& named, const TableSetting& setting, const Rejects& rejects) {
  const Misses rejected = count_misses(setting, kTablesOfATest, [&](const DrawnTable& t, std::uint64_t seed) {
    return Missed{false, rejects(without_noise(t.release), seed)};
  });
  EXPECT_TRUE(too_often(named, rejected.population, kTablesOfATest, kFalseAlarmOfTables).red) << rejected.population;
  test::declare_false_alarm("planted fault in " + named, test::chance_to_miss(0.05, kFaultyLevel, kTablesOfATest, 1, kFalseAlarmOfTables));
}

bool any_deviates(const mechanisms::CountRelease& release, std::uint64_t seed) {
  const CellResiduals found = *adjusted_residuals(cells_apart(release), {2, 3}, {.alpha = 0.05, .simulation = short_simulation(seed)});
  return std::any_of(found.p_values.begin(), found.p_values.end(), [](double p) { return p <= 0.05; });
}

TEST(Residuals, CallNoCellDeviatingMoreOftenThanTheirLevel) {
  expect_level("residuals", noisy_settings({2, 3}, kNoTrend, 300), any_deviates);
}
TEST(Residuals, LevelTestCatchesResidualsThatForgetTheNoise) {
  expect_fault_caught("residuals", noisy_settings({2, 3}, kNoTrend, 300, 20)[1], any_deviates);
}

// R: prop.trend.test(c(10, 20, 30), c(100, 100, 100)).
TEST(Trend, WithoutNoiseIsCochranAndArmitages) {
  const auto release = release_of({10, 20, 30, 90, 80, 70}, {2, 3}, 300, gaussian(1e-3));
  const TrendTest trend = *test_trend(cells_apart(release), {1, 2, 3}, {.alpha = 0.05});
  EXPECT_NEAR(*trend.test.statistic, 12.5, 1e-4);
  EXPECT_NEAR(*trend.test.p_value, 0.0004069520174449599, 1e-7);
  EXPECT_EQ(trend.test.outcome, Outcome::Reject);
  EXPECT_NEAR(*trend.slope, 0.1, 1e-9);
  EXPECT_NEAR(trend.file->lower, 0.1, 1e-4);
  // The slope's robust standard error is 0.0277.
  EXPECT_NEAR(trend.population->lower, 0.1 - 1.96 * 0.0277, 1e-3);
  EXPECT_NEAR(trend.population->upper, 0.1 + 1.96 * 0.0277, 1e-3);
}

TEST(Trend, RefusesScoresThatDoNotFit) {
  const CollapsedTable table = cells_apart(release_of({10, 20, 30, 90, 80, 70}, {2, 3}, 300, gaussian(1)));
  EXPECT_EQ(
      test_trend(table, {1, 2}, {.alpha = 0.05}).error().message(),
      "scores is a list of 2, but must have a number for each of the 3 groups (at most 1000), and two of them must differ; for example: "
      "scores = 1,2,3");
  EXPECT_EQ(test_trend(table, {2, 2, 2}, {.alpha = 0.05}).error().name(), "scores");
  EXPECT_EQ(test_trend(table, {1, 2, 3}, {.alpha = 0.7}).error().name(), "alpha");
}

TEST(Trend, SaysWhyItDoesNotKnow) {
  const auto reason = [](std::vector<double> values, double scale) {
    return *test_trend(cells_apart(release_of(std::move(values), {2, 3}, std::nullopt, gaussian(scale))), {1, 2, 3}, {.alpha = 0.05})
                ->test.reason;
  };
  EXPECT_EQ(reason({1, 2, -9, 0, 0, 0}, 8), "the noisy counts sum to less than one person");
  EXPECT_EQ(reason({0, 0, 0, 5, 6, 7}, 0.01), "in the denoised table everybody or nobody has the event, or all are in one group");
  const TrendTest few = *test_trend(cells_apart(release_of({1, 2, 3, 90, 90, 90}, {2, 3}, 276, gaussian(0.01))), {1, 2, 3}, short_test(1));
  EXPECT_FALSE(few.population);
  EXPECT_EQ(*few.interval_reason, "fewer than 10 people have the event, or have it not: too few for an interval");
}

bool trend_rejects(const mechanisms::CountRelease& release, std::uint64_t seed) {
  return test_trend(cells_apart(release), {1, 2, 3}, short_test(seed))->test.outcome == Outcome::Reject;
}

TEST(Trend, KeepsItsLevel) { expect_level("trend", noisy_settings({2, 3}, kNoTrend, 300), trend_rejects); }
TEST(Trend, LevelTestCatchesATestThatForgetsTheNoise) {
  expect_fault_caught("trend", noisy_settings({2, 3}, kNoTrend, 300, 20)[1], trend_rejects);
}

double slope_of(const std::vector<double>& t) {
  const double all = t[0] + t[1] + t[2] + t[3] + t[4] + t[5];
  const double p = (t[0] + t[1] + t[2]) / all;
  const double mean = (t[1] + t[4] + 2 * (t[2] + t[5])) / all;
  double up = 0;
  double down = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double from_mean = static_cast<double>(i % 3) - mean;
    up += t[i] * ((i < 3 ? 1 : 0) - p) * from_mean;
    down += t[i] * from_mean * from_mean;
  }
  return up / down;
}

/// How often the intervals of an answer with `file` and `population` miss `truth` of the drawn
/// counts and of the probabilities.
template <class Answer, class Truth>
Misses missed_intervals(const TableSetting& setting, const Answer& answer, const Truth& truth) {
  return count_misses(setting, kTablesOfATest, [&](const DrawnTable& t, std::uint64_t seed) {
    const auto found = answer(t.release, seed);
    return Missed{found.file && outside(*found.file, truth(t.counts)), found.population && outside(*found.population, truth(setting.p))};
  });
}

template <class Answer, class Truth>
void expect_coverage(const std::string& named, const std::vector<TableSetting>& settings, const Answer& answer, const Truth& truth) {
  for (const TableSetting& setting : settings) {
    const Misses missed = missed_intervals(setting, answer, truth);
    EXPECT_FALSE(too_often("file", missed.file, kTablesOfATest, kFalseAlarmOfTables).red) << setting.name << " " << missed.file;
    EXPECT_FALSE(too_often("population", missed.population, kTablesOfATest, kFalseAlarmOfTables).red)
        << setting.name << " " << missed.population;
  }
  test::declare_false_alarm("coverage of " + named, 2 * static_cast<double>(settings.size()) * kFalseAlarmOfTables);
}

/// Two planted faults: intervals that forget the noise miss the file nearly always and the
/// population often; an interval for the file, taken for one for the population, forgets sampling.
template <class Answer, class Truth>
void expect_coverage_faults_caught(const std::string& named, const TableSetting& noisy, const TableSetting& sampled, const Answer& answer,
                                   const Truth& truth) {
  const auto forgets_noise = [&](const mechanisms::CountRelease& release, std::uint64_t seed) {
    return answer(without_noise(release), seed);
  };
  const auto forgets_sampling = [&](const mechanisms::CountRelease& release, std::uint64_t seed) {
    auto found = answer(release, seed);
    found.population = found.file;
    return found;
  };
  const Misses without_any = missed_intervals(noisy, forgets_noise, truth);
  EXPECT_TRUE(too_often("file", without_any.file, kTablesOfATest, kFalseAlarmOfTables).red) << without_any.file;
  EXPECT_TRUE(too_often("population", without_any.population, kTablesOfATest, kFalseAlarmOfTables).red) << without_any.population;
  const Misses of_the_file = missed_intervals(sampled, forgets_sampling, truth);
  EXPECT_TRUE(too_often("sampling", of_the_file.population, kTablesOfATest, kFalseAlarmOfTables).red) << of_the_file.population;
  EXPECT_FALSE(too_often("file", of_the_file.file, kTablesOfATest, kFalseAlarmOfTables).red) << "the fault is in the other interval";
  test::declare_false_alarm("planted faults in " + named,
                            3 * test::chance_to_miss(0.05, kFaultyLevel, kTablesOfATest, 1, kFalseAlarmOfTables) + kFalseAlarmOfTables);
}

TrendTest slope_and_intervals(const mechanisms::CountRelease& release, std::uint64_t seed) {
  return *test_trend(cells_apart(release), {1, 2, 3}, short_test(seed));
}
const std::vector<double> kRising = {0.04, 0.1, 0.08, 0.26, 0.4, 0.12};

TEST(Trend, SlopesKeepTheirCoverage) { expect_coverage("slopes", noisy_settings({2, 3}, kRising, 500), slope_and_intervals, slope_of); }
TEST(Trend, CoverageTestCatchesSlopesThatForgetNoiseOrSampling) {
  expect_coverage_faults_caught("slopes", noisy_settings({2, 3}, kRising, 500, 20)[1], noisy_settings({2, 3}, kRising, 500, 1)[1],
                                slope_and_intervals, slope_of);
}

// The values of mantelhaen.test(correct = FALSE), by the formulas.
TEST(Stratified, WithoutNoiseIsCochranMantelAndHaenszels) {
  const auto release = release_of({81, 20, 60, 40, 97, 31, 50, 50}, {2, 2, 2}, 429, gaussian(1e-4));
  const StratifiedTest found = *test_stratified(cells_apart(release), {2, 2, 2}, {.alpha = 0.05});
  EXPECT_NEAR(*found.test.statistic, 25.810075135105727, 1e-4);
  EXPECT_NEAR(*found.test.p_value / 3.7671688114283545e-07, 1, 1e-4);
  EXPECT_NEAR(*found.odds_ratio, 2.9284286080492175, 1e-6);
  EXPECT_NEAR(found.population->lower, 1.9229091578784108, 1e-4);
  EXPECT_NEAR(found.population->upper, 4.459749997708073, 1e-4);
}

// Two strata that are copies of one r x c table: U doubles, V doubles with n/(n - 1).
TEST(Stratified, GeneralTablesHaveAllTheirDegreesOfFreedom) {
  const std::vector<double> one = {10, 20, 30, 90, 80, 70};
  std::vector<double> two(one);
  two.insert(two.end(), one.begin(), one.end());
  const StratifiedTest found = *test_stratified(cells_apart(release_of(two, {2, 2, 3}, 600, gaussian(1e-4))), {2, 2, 3}, {.alpha = 0.05});
  EXPECT_EQ(found.test.df, 2);
  EXPECT_NEAR(*found.test.statistic, 2 * 12.5 * 299 / 300, 1e-3);
  EXPECT_FALSE(found.odds_ratio);
}

TEST(Stratified, RefusesAndSaysWhyItDoesNotKnow) {
  const CollapsedTable table = cells_apart(release_of({81, 20, 60, 40}, {1, 2, 2}, 201, gaussian(1)));
  EXPECT_EQ(
      test_stratified(table, {1, 2, 2}, {.alpha = 0.05}).error().message(),
      "release is 2 x 2 tables in 1 strata, but must be 2 x 2 tables or larger, of at most 100 cells, in 2 to 1000 strata; choose other "
      "variables for rows, columns and strata");
  const auto with = [](std::vector<double> values, double scale) {
    return *test_stratified(cells_apart(release_of(std::move(values), {2, 2, 2}, std::nullopt, gaussian(scale))), {2, 2, 2}, short_test(1));
  };
  EXPECT_EQ(*with({1, 2, -9, 0, 0, 0, 0, 0}, 8).test.reason, "the noisy counts sum to less than one person");
  EXPECT_EQ(*with({81, 20, 60, 40, 3, 2, 1, 4}, 8).interval_reason,
            "the noise may be all that is in a stratum, or an odds ratio would be infinite");
  EXPECT_EQ(*with({81, 2, 3, 40, 80, 3, 2, 40}, 8).interval_reason,
            "the noise hides whether the common odds ratio is finite and greater than 0");
}

bool strata_reject(const mechanisms::CountRelease& release, std::uint64_t seed) {
  return test_stratified(cells_apart(release), {3, 2, 2}, short_test(seed))->test.outcome == Outcome::Reject;
}

TEST(Stratified, KeepsItsLevel) { expect_level("strata", noisy_settings({3, 2, 2}, kThreeStrata, 400), strata_reject); }
TEST(Stratified, LevelTestCatchesATestThatForgetsTheNoise) {
  expect_fault_caught("strata", noisy_settings({3, 2, 2}, kThreeStrata, 400, 20)[1], strata_reject);
}

double common_odds(const std::vector<double>& t) {
  double above = 0;
  double below = 0;
  for (std::size_t h = 0; h < t.size(); h += 4) {
    const double n = t[h] + t[h + 1] + t[h + 2] + t[h + 3];
    above += t[h] * t[h + 3] / n;
    below += t[h + 1] * t[h + 2] / n;
  }
  return above / below;
}

StratifiedTest odds_ratio_and_intervals(const mechanisms::CountRelease& release, std::uint64_t seed) {
  return *test_stratified(cells_apart(release), {2, 2, 2}, short_test(seed));
}
const std::vector<double> kDependentStrata = {0.2, 0.1, 0.1, 0.15, 0.18, 0.06, 0.105, 0.105};

TEST(Stratified, CommonOddsRatiosKeepTheirCoverage) {
  expect_coverage("common odds ratios", noisy_settings({2, 2, 2}, kDependentStrata, 600, 5), odds_ratio_and_intervals, common_odds);
}
TEST(Stratified, CoverageTestCatchesOddsRatiosThatForgetNoiseOrSampling) {
  expect_coverage_faults_caught("common odds ratios", noisy_settings({2, 2, 2}, kDependentStrata, 1200, 30)[1],
                                noisy_settings({2, 2, 2}, kDependentStrata, 600, 1)[1], odds_ratio_and_intervals, common_odds);
}

}  // namespace
}  // namespace tacet::inference
