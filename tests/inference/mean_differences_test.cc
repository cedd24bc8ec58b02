// Differences of means, column by column: what they are without noise, in any units, and how often
// their intervals, the region, the distance and the t-test miss a known truth.
#include "tacet/inference/means/mean_differences.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/inference/means/possible_means.h"
#include "tacet/studies/levels/drawn_differences.h"

namespace tacet::inference::mean_differences_test {
namespace {

using mechanisms::MomentRelease;
using studies::count_misses;
using studies::DifferenceMisses;
using studies::DifferenceSetting;

/// Rows of two columns that are far from their middle.
std::vector<std::vector<double>> plain_rows(std::size_t people, double shift, double unit = 1) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < people; ++i) {
    const double u = static_cast<double>(i * 7 % people) / static_cast<double>(people);
    const double v = static_cast<double>(i * 11 % people) / static_cast<double>(people);
    rows.push_back({unit * (6 * u + shift), 4 * v + u});
  }
  return rows;
}

MomentRelease released(const std::vector<std::vector<double>>& rows, double mu, double unit = 1, const std::string& family = "gaussian") {
  return studies::exact_release(
      {.columns = {studies::column("a", -10 * unit, 20 * unit), studies::column("b", -10, 30)}, .family = family, .mu = mu}, rows);
}

struct Moments {
  double mean = 0, variance = 0;
};
Moments moments_of(const std::vector<std::vector<double>>& rows, std::size_t column) {
  Moments out;
  const auto n = static_cast<double>(rows.size());
  for (const auto& row : rows) out.mean += row[column] / n;
  for (const auto& row : rows) out.variance += std::pow(row[column] - out.mean, 2) / (n - 1);
  return out;
}

TEST(MeanDifferences, WithoutNoiseAreThoseOfTheRows) {
  const auto first = plain_rows(61, 0);
  const auto second = plain_rows(43, 1);
  const MomentRelease a = released(first, 1e7);
  const MomentRelease b = released(second, 1e7);
  const auto found = *mean_differences({{&a, 0}, {&b, 0}}, {.simulation = {.draws = 99'999}});
  ASSERT_EQ(found.pairs.size(), 1U);
  for (std::size_t j = 0; j < 2; ++j) {
    const Moments x = moments_of(first, j);
    const Moments y = moments_of(second, j);
    const ColumnDifference& column = found.pairs[0].columns[j];
    EXPECT_NEAR(column.estimate, x.mean - y.mean, 1e-9);
    EXPECT_NEAR(column.population.sd, std::sqrt(x.variance / 61 + y.variance / 43), 1e-4 * column.population.sd);
    EXPECT_LT(column.file.upper - column.file.lower, 1e-3);
  }
  // Two independent t variables with about 90 degrees of freedom: the upper 1 - sqrt(0.95) is at
  // 2.28; of Behrens and Fisher's a little more.
  EXPECT_NEAR(found.population_quantile, 2.29, 0.03);
  EXPECT_TRUE(found.pairs[0].columns[0].differs());
  EXPECT_FALSE(found.pairs[0].columns[1].differs());
}

TEST(MeanDifferences, DoNotDependOnUnits) {
  for (const std::string family : {"gaussian", "k-norm+laplace"}) {
    for (const double unit : {1e-6, 1e9}) {
      std::vector<MomentRelease> releases;
      for (const double scale : {1.0, unit}) {
        for (const double shift : {0.0, 1.0}) {
          releases.push_back(released(plain_rows(200, shift, scale), 1, scale, family));
          numeric::InsecureStream stream(1, shift > 0 ? 1 : 0);
          studies::add_noise(releases.back(), stream);
        }
      }
      const auto plain = *mean_differences({{&releases[0], 0}, {&releases[1], 0}}, {});
      const auto scaled = *mean_differences({{&releases[2], 0}, {&releases[3], 0}}, {});
      for (std::size_t j = 0; j < 2; ++j) {
        const double by = j == 0 ? unit : 1;
        const ColumnDifference& one = plain.pairs[0].columns[j];
        const ColumnDifference& other = scaled.pairs[0].columns[j];
        EXPECT_NEAR(other.estimate / by, one.estimate, 1e-9);
        EXPECT_NEAR(other.population.lower / by, one.population.lower, 1e-9);
        EXPECT_NEAR(other.population.upper / by, one.population.upper, 1e-9);
        EXPECT_NEAR(other.file.lower / by, one.file.lower, 1e-9);
        EXPECT_NEAR(other.population.sd / by, one.population.sd, 1e-9);
      }
    }
  }
}

/// Above 0.05 by three standard errors. The seeds are fixed, so that this never alarms by chance.
bool too_many(const DifferenceMisses& misses, double DifferenceMisses::* count, double allowed = 0.05) {
  return misses.of(count) > allowed + 3 * std::sqrt(allowed * (1 - allowed) / misses.trials);
}

TEST(MeanDifferences, MissTheTruthAsSeldomAsTheySay) {
  const std::vector<DifferenceSetting> settings = {
      {.family = "gaussian", .columns = 3, .first = 300, .second = 100, .mu = 2, .correlation = 0.9},
      {.family = "laplace", .columns = 2, .first = 60, .second = 40, .mu = 10, .skewed = true, .private_count = true, .shift = 0.3},
      {.family = "k-norm", .columns = 3, .first = 400, .second = 200, .mu = 8, .ratio = 3, .half_width = 15, .shift = 1},
      {.family = "k-norm+laplace", .columns = 1, .first = 200, .second = 400, .mu = 2, .private_count = true, .half_width = 25, .shift = 1},
      // Little noise, so that the distances have bounds.
      {.family = "laplace", .columns = 2, .first = 150, .second = 60, .mu = 60, .correlation = 0.3, .shift = 0.5},
      {.family = "gaussian", .columns = 1, .first = 200, .second = 200, .mu = 3, .private_count = true},
      // All pairs of three groups together.
      {.family = "laplace", .columns = 2, .first = 120, .second = 60, .third = 90, .mu = 6, .private_count = true, .shift = 0.5},
  };
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const DifferenceMisses misses = count_misses(settings[i], 400, 100 + i);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::population)) << i << ": " << misses.of(&DifferenceMisses::population);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::file)) << i << ": " << misses.of(&DifferenceMisses::file);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::region)) << i << ": " << misses.of(&DifferenceMisses::region);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::distance_above, 0.025)) << i << ": " << misses.of(&DifferenceMisses::distance_above);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::distance_below, 0.025)) << i << ": " << misses.of(&DifferenceMisses::distance_below);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::two_sided)) << i << ": " << misses.of(&DifferenceMisses::two_sided);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::less)) << i << ": " << misses.of(&DifferenceMisses::less);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::one_group)) << i << ": " << misses.of(&DifferenceMisses::one_group);
    EXPECT_FALSE(too_many(misses, &DifferenceMisses::greater)) << i << ": " << misses.of(&DifferenceMisses::greater);
    if (i >= 4 && settings[i].third == 0) {
      EXPECT_LT(misses.of(&DifferenceMisses::unbounded), 0.05) << i;
    }
    // Nor are they too wide: the file's intervals are exact but for a private number of people.
    EXPECT_GT(misses.of(&DifferenceMisses::file), 0.015) << i;
    std::printf("%zu: population %.3f, file %.3f, region %.3f, distance %.3f and %.3f (unbounded %.2f), t %.3f, greater %.3f\n", i,
                misses.of(&DifferenceMisses::population), misses.of(&DifferenceMisses::file), misses.of(&DifferenceMisses::region),
                misses.of(&DifferenceMisses::distance_above), misses.of(&DifferenceMisses::distance_below),
                misses.of(&DifferenceMisses::unbounded), misses.of(&DifferenceMisses::two_sided), misses.of(&DifferenceMisses::greater));
  }
}

// Noise twice as large as the file says, where noise matters.
TEST(MeanDifferences, CoverageTestCatchesNoiseThatTheFileDoesNotTell) {
  const DifferenceSetting fault{.family = "laplace", .columns = 2, .first = 100, .second = 100, .mu = 2, .noise = 2};
  const DifferenceMisses misses = count_misses(fault, 300, 5);
  EXPECT_TRUE(too_many(misses, &DifferenceMisses::population));
  EXPECT_TRUE(too_many(misses, &DifferenceMisses::file));
  EXPECT_TRUE(too_many(misses, &DifferenceMisses::region));
  EXPECT_TRUE(too_many(misses, &DifferenceMisses::two_sided));
  EXPECT_TRUE(too_many(misses, &DifferenceMisses::greater));
  EXPECT_TRUE(too_many(misses, &DifferenceMisses::less));
  EXPECT_TRUE(too_many(misses, &DifferenceMisses::one_group));
}

// Sampling error forgotten: the interval for the file is none for the population.
TEST(MeanDifferences, OfTheFileAreNotThoseOfThePopulation) {
  const MomentRelease a = released(plain_rows(61, 0), 100);
  const MomentRelease b = released(plain_rows(43, 0), 100);
  const auto found = *mean_differences({{&a, 0}, {&b, 0}}, {});
  EXPECT_LT(10 * found.pairs[0].columns[0].file.sd, found.pairs[0].columns[0].population.sd);
}

TEST(MeanDifferences, ComparesAllPairsOrThoseWithTheFirst) {
  std::vector<MomentRelease> releases;
  for (const double shift : {0.0, 0.0, 3.0}) releases.push_back(released(plain_rows(100, shift), 5));
  const std::vector<ReleasedGroup> groups = {{&releases[0], 0}, {&releases[1], 0}, {&releases[2], 0}};
  const auto all = *mean_differences(groups, {.pairs = ComparedPairs::All});
  const auto first = *mean_differences(groups, {.pairs = ComparedPairs::First});
  ASSERT_EQ(all.pairs.size(), 3U);
  ASSERT_EQ(first.pairs.size(), 2U);
  EXPECT_EQ(all.pairs[2].first, 1U);
  EXPECT_EQ(all.pairs[2].second, 2U);
  EXPECT_GT(all.population_quantile, first.population_quantile) << "more intervals hold together";
  EXPECT_FALSE(all.pairs[0].columns[0].differs());
  EXPECT_TRUE(all.pairs[1].columns[0].differs());
  EXPECT_TRUE(all.pairs[2].columns[0].differs());
}

TEST(MeanDifferences, AreTheSameForEveryNumberOfThreads) {
  const MomentRelease a = released(plain_rows(61, 0), 1);
  const MomentRelease b = released(plain_rows(43, 0), 1);
  const auto one = *mean_differences({{&a, 0}, {&b, 0}}, {.simulation = {.threads = 1}});
  const auto three = *mean_differences({{&a, 0}, {&b, 0}}, {.simulation = {.threads = 3}});
  EXPECT_EQ(one.population_quantile, three.population_quantile);
}

TEST(MeanDifferences, RefuseWhatTheyCannotCompare) {
  const MomentRelease a = released(plain_rows(61, 0), 1);
  MomentRelease eigen = a;
  eigen.mechanism = mechanisms::MomentMechanism::Eigen;
  MomentRelease means = a;
  means.parts[0].products.clear();
  EXPECT_EQ(mean_differences({{&a, 0}}, {}).error().name(), "groups");
  EXPECT_EQ(mean_differences({{&a, 0}, {&eigen, 0}}, {}).error().code(), Code::Unsupported);
  EXPECT_EQ(mean_differences({{&a, 0}, {&means, 0}}, {}).error().code(), Code::Unsupported);
  EXPECT_EQ(mean_differences({{&a, 0}, {&a, 0}}, {.alpha = 0.7}).error().name(), "alpha");
  EXPECT_EQ(mean_differences({{&a, 0}, {&a, 0}}, {.alpha = 0.01, .simulation = {.draws = 50}}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::inference::mean_differences_test
