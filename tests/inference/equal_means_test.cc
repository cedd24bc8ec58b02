// Equal means of noisy groups: level over dimensions, sizes, noise and covariances, power against
// the recipe's, and a printed law that is caught.
#include "tacet/inference/means/equal_means.h"

#include <cmath>

#include <gtest/gtest.h>

#include "inference/simulated_groups.h"
#include "support/promise.h"

namespace tacet::inference::equal_means_test {
namespace {

constexpr double kFalseAlarm = 1e-10;

struct Case {
  GroupDesign first, second;
  bool equal = true;
};

std::uint64_t rejections(const Case& c, double shift, std::uint64_t trials, std::uint64_t index) {
  numeric::InsecureStream stream(test::suite_seed(), index);
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const std::vector<MeanSummary> groups = {simulate_group(stream, c.first, 0), simulate_group(stream, c.second, shift)};
    const auto tested = test_equal_means(
        groups,
        {.alpha = 0.05, .equal_covariances = c.equal, .with_power = false, .simulation = {.draws = 199, .seed = trial, .threads = 1}});
    rejected += tested->p_value.value_or(1) <= 0.05 ? 1 : 0;
  }
  return rejected;
}

GroupDesign design(std::size_t d, std::size_t n, const std::string& epsilon, Noise noise, RowLaw rows) {
  GroupDesign planned = planned_design(d, n, epsilon, noise);
  planned.law = rows;
  return planned;
}

Case both(const GroupDesign& group) { return {group, group}; }

// Red where the count of rejections is above an exact binomial bound at 0.06: the estimated
// covariance makes the level approximate. 600 trials see a level of 0.15: a bootstrap that draws
// what the noise left of the covariance reaches 0.35 on the spiked rows. Settings where the level
// was highest, of those of `study run levels_of_equal_means`.
TEST(EqualMeans, KeepsItsLevelOverDimensionsSizesNoiseAndCovariances) {
  const std::vector<Case> cases = {
      both(design(1, 100, "0.5", Noise::Pure, RowLaw::Uniform)),
      both(design(1, 1000, "5", Noise::Pure, RowLaw::Far)),
      both(design(10, 100, "5", Noise::Pure, RowLaw::Uniform)),
      both(design(10, 300, "5", Noise::Pure, RowLaw::Equicorrelated)),
      both(design(10, 300, "5", Noise::Pure, RowLaw::Spiked)),
      both(design(10, 10'000, "1", Noise::Pure, RowLaw::Spiked)),
      both(design(30, 100, "5", Noise::Pure, RowLaw::Uniform)),
      both(design(30, 10'000, "5", Noise::Pure, RowLaw::Equicorrelated)),
      both(design(30, 10'000, "5", Noise::Pure, RowLaw::Spiked)),
      both(design(1, 100, "0.5", Noise::Gaussian, RowLaw::Uniform)),
      both(design(10, 100, "5", Noise::Gaussian, RowLaw::Uniform)),
      both(design(10, 10'000, "5", Noise::Gaussian, RowLaw::Equicorrelated)),
      both(design(10, 100, "5", Noise::Gaussian, RowLaw::Spiked)),
      both(design(30, 100, "5", Noise::Gaussian, RowLaw::Uniform)),
      both(design(30, 10'000, "1", Noise::Gaussian, RowLaw::Uniform)),
      both(design(30, 10'000, "5", Noise::Gaussian, RowLaw::Equicorrelated)),
      both(design(30, 10'000, "1", Noise::Gaussian, RowLaw::Spiked)),
      {design(10, 300, "1", Noise::Gaussian, RowLaw::Uniform), design(10, 100, "1", Noise::Gaussian, RowLaw::Uniform)},
      {design(5, 300, "1", Noise::Gaussian, RowLaw::Spiked), design(5, 200, "2", Noise::Gaussian, RowLaw::Uniform), false},
  };
  test::declare_false_alarm("level of tests of equal means", kFalseAlarm * static_cast<double>(cases.size()));
  const auto trials = static_cast<std::uint64_t>(600 / test::coarseness());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::uint64_t rejected = rejections(cases[i], 0, trials, 100 + i);
    EXPECT_GT(test::binomial_upper(trials, 0.06, rejected), kFalseAlarm)
        << "case " << i << ": " << static_cast<double>(rejected) / static_cast<double>(trials);
  }
}

// The same bound for three and five groups of different sizes; 400 trials see a level of 0.18.
TEST(EqualMeans, KeepsItsLevelForSeveralGroups) {
  struct Several {
    std::vector<std::size_t> people;
    std::size_t columns;
    std::string epsilon;
    Noise noise;
    RowLaw rows;
    bool equal;
  };
  const std::vector<Several> all = {{{300, 300, 300}, 10, "1", Noise::Gaussian, RowLaw::Uniform, true},
                                    {{1000, 300, 100}, 3, "1", Noise::Pure, RowLaw::Spiked, false},
                                    {{2000, 1000, 1000, 500, 200}, 5, "2", Noise::Gaussian, RowLaw::Equicorrelated, true},
                                    {{200, 200, 200, 200, 200}, 2, "1", Noise::Pure, RowLaw::Uniform, true}};
  test::declare_false_alarm("level of tests of several means", kFalseAlarm * static_cast<double>(all.size()));
  const auto trials = static_cast<std::uint64_t>(400 / test::coarseness());
  for (std::size_t i = 0; i < all.size(); ++i) {
    numeric::InsecureStream stream(test::suite_seed(), 400 + i);
    std::vector<GroupDesign> designs;
    for (const std::size_t people : all[i].people)
      designs.push_back(design(all[i].columns, people, all[i].epsilon, all[i].noise, all[i].rows));
    std::uint64_t rejected = 0;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      std::vector<MeanSummary> groups;
      for (const GroupDesign& one : designs) groups.push_back(simulate_group(stream, one, 0));
      const auto tested = test_equal_means(groups, {.alpha = 0.05,
                                                    .equal_covariances = all[i].equal,
                                                    .with_power = false,
                                                    .simulation = {.draws = 199, .seed = trial, .threads = 1}});
      rejected += tested->p_value.value_or(1) <= 0.05 ? 1 : 0;
    }
    EXPECT_GT(test::binomial_upper(trials, 0.06, rejected), kFalseAlarm)
        << "case " << i << ": " << static_cast<double>(rejected) / static_cast<double>(trials);
    std::printf("level of %zu groups: %.3f\n", designs.size(), static_cast<double>(rejected) / static_cast<double>(trials));
  }
}

// Example B of Dunsche, Kutta & Dette: one column, 500 people in each group, epsilon 1, a
// chi-square quantile that forgets most of the noise. Their 18.9 % must be caught by the bound that
// the test above uses, and is not what our law gives.
TEST(EqualMeans, LevelTestCatchesThePrintedQuantile) {
  test::declare_false_alarm("the printed quantile of Hotelling's test is caught", 2e-9);
  const auto trials = static_cast<std::uint64_t>(3000 / test::coarseness());
  numeric::InsecureStream stream(test::suite_seed(), 300);
  std::uint64_t printed = 0;
  const double scale = 2.0 / (500 * 0.25);  // epsilon/4 for each mean
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    double difference = 0;
    double variance = 0;
    for (const double sign : {1.0, -1.0}) {
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < 500;) {  // density proportional to exp(-2 t^2) on [-1, 1]
        std::vector<double> z(1);
        stream.fill_normal(z);
        if (std::abs(z[0]) > 2) continue;
        sum += z[0] / 2;
        squares += z[0] * z[0] / 4;
        ++i;
      }
      std::vector<double> noise(1);
      stream.fill_laplace(noise);
      difference += sign * (sum / 500 + scale * noise[0]);
      variance += (squares - sum * sum / 500) / 499 / 2;
    }
    variance += 2 * 2 * scale * scale;  // c1 + c2 without the factor h
    printed += 250 * difference * difference / variance > 3.841458820694124 ? 1 : 0;
  }
  EXPECT_LT(test::binomial_upper(trials, 0.06, printed), kFalseAlarm);
  EXPECT_NEAR(static_cast<double>(printed) / static_cast<double>(trials), 0.19, 0.08);
}

// Uniform rows of variance 1 in a cube of half width sqrt 3 + 1, means that differ by 1, epsilon
// for each group. Measured: 0.92, 1.00 and 0.89, where a recipe of 90 parts for the means has
// 0.916, 1.00 and 0.873, and the print 0.16, 0.07 and 0.05. Would catch a power of 0.85, 0.9 and
// 0.75.
TEST(EqualMeans, FindsWhatThePrintMisses) {
  struct Power {
    std::size_t columns, people;
    std::string epsilon;
    double least;
    double trials;
  };
  test::declare_false_alarm("power of tests of equal means", 3e-9);
  const double half_width = std::sqrt(3.0) + 1;
  for (const Power& power : {Power{1, 100, "0.5", 0.91, 4000}, Power{10, 1000, "0.5", 0.99, 100}, Power{30, 1000, "1", 0.87, 500}}) {
    GroupDesign group = planned_design(power.columns, power.people, power.epsilon, Noise::Pure);
    group.width = std::sqrt(3.0) / half_width;
    const auto trials = static_cast<std::uint64_t>(power.trials / test::coarseness());
    const double shift = 1 / std::sqrt(static_cast<double>(power.columns)) / half_width;
    const std::uint64_t found = rejections(both(group), shift, trials, 200 + power.columns);
    EXPECT_GT(test::binomial_lower(trials, power.least, found), 1e-9) << power.columns << " columns: " << found;
  }
}

TEST(EqualMeans, SaysWhatIsFarAndHowOftenItWouldBeFound) {
  numeric::InsecureStream stream(1, 1);
  const GroupDesign design = planned_design(3, 500, "2", Noise::Gaussian);
  const std::vector<MeanSummary> groups = {simulate_group(stream, design, 0), simulate_group(stream, design, 0.3),
                                           simulate_group(stream, design, 0)};
  const auto all = test_equal_means(groups, {.alpha = 0.01});
  EXPECT_EQ(all->outcome, Outcome::Reject);
  EXPECT_EQ(all->df, 6);
  EXPECT_GT(all->power, 0.99);
  const auto two = test_equal_means({groups[0], groups[2]}, {.alpha = 0.01});
  EXPECT_EQ(two->outcome, Outcome::Retain);
  EXPECT_EQ(two->df, 3);
  EXPECT_TRUE(two->noise_share > 0 && two->noise_share < 1);
}

TEST(EqualMeans, IsHotellingsTestWhereNoiseIsNothing) {
  numeric::InsecureStream stream(5, 1);
  const GroupDesign design = planned_design(2, 60, "10000", Noise::Gaussian);
  const std::vector<MeanSummary> groups = {simulate_group(stream, design, 0), simulate_group(stream, design, 0.1)};
  const auto test = test_equal_means(groups, {.alpha = 0.05, .simulation = {.draws = 199'999}});
  // T^2 (n1 + n2 - d - 1)/(d (n1 + n2 - 2)) has an F law with 2 and 117 degrees of freedom; its
  // upper 5 % begin at 3.0738.
  EXPECT_NEAR(*test->critical, 3.0738 * 2 * 118 / 117, 0.12);
}

TEST(EqualMeans, OfFewerPeopleThanColumnsIsInconclusive) {
  numeric::InsecureStream stream(2, 1);
  const MeanSummary few = simulate_group(stream, planned_design(10, 5, "2", Noise::Gaussian), 0);
  const MeansTest test = *test_equal_means({few, few}, {.alpha = 0.05});
  EXPECT_EQ(test.outcome, Outcome::Inconclusive);
  EXPECT_EQ(test.reason, "the groups are too small to say how 10 columns vary: they count as 8 people, and at least 10 are needed");
  EXPECT_FALSE(test.p_value);
  const MeanSummary many = simulate_group(stream, planned_design(10, 10'000, "2", Noise::Gaussian), 0);
  EXPECT_EQ(test_equal_means({few, many}, {.alpha = 0.05})->outcome, Outcome::Inconclusive) << "five of them decide";
  EXPECT_NE(test_equal_means({few, many, many}, {.alpha = 0.05})->outcome, Outcome::Inconclusive) << "all vary alike";
  const MeanSummary more = simulate_group(stream, planned_design(10, 6, "2", Noise::Gaussian), 0);
  EXPECT_NE(test_equal_means({more, more}, {.alpha = 0.05})->outcome, Outcome::Inconclusive);
}

TEST(EqualMeans, IsTheSameForEveryNumberOfThreads) {
  numeric::InsecureStream stream(3, 1);
  const GroupDesign design = planned_design(3, 100, "1", Noise::Pure);
  const std::vector<MeanSummary> groups = {simulate_group(stream, design, 0), simulate_group(stream, design, 0.1)};
  const auto one = test_equal_means(groups, {.alpha = 0.05, .simulation = {.draws = 999, .threads = 1}});
  const auto three = test_equal_means(groups, {.alpha = 0.05, .simulation = {.draws = 999, .threads = 3}});
  EXPECT_EQ(one->p_value, three->p_value);
  EXPECT_EQ(one->critical, three->critical);
}

TEST(EqualMeans, RefusesWhatCannotBeCompared) {
  numeric::InsecureStream stream(4, 1);
  const MeanSummary three = simulate_group(stream, planned_design(3, 50, "2", Noise::Gaussian), 0);
  const MeanSummary two = simulate_group(stream, planned_design(2, 50, "2", Noise::Gaussian), 0);
  EXPECT_EQ(test_equal_means({three}, {.alpha = 0.05}).error().name(), "groups");
  EXPECT_EQ(test_equal_means({three, two}, {.alpha = 0.05}).error().name(), "columns");
  EXPECT_EQ(test_equal_means({three, three}, {.alpha = 0}).error().name(), "alpha");
  EXPECT_EQ(test_equal_means({three, three}, {.alpha = 0.01, .simulation = {.draws = 50}}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::inference::equal_means_test
