// Bands for the distribution function: known widths without noise, and coverage.
#include "tacet/inference/histograms/distribution_band.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_histogram.h"

#include "support/promise.h"

namespace tacet::inference {
namespace {

using studies::draw_histogram;
using studies::DrawnHistogram;
using studies::equal_edges;
using studies::file_below;
using studies::HistogramSetting;
using studies::holds;
using studies::population_below;

using ::testing::HasSubstr;

constexpr double kFalseAlarmOfBands = 2e-12;
constexpr std::uint64_t kDrawnBands = 150;

double exponential(double u) { return -std::log1p(-u); }

HistogramSetting band_setting(double people, double scale, std::size_t branching, kernel::NoiseFamily family, bool n_public) {
  return {"exponential", exponential, people, equal_edges(0, 6, 20), branching, family, scale, 0.1, n_public};
}

TEST(DistributionBand, WithoutNoiseIsMassartsBandAndTheFileItself) {
  numeric::InsecureStream stream(1, 1);
  HistogramSetting setting = band_setting(2000, 1e-7, 4, kernel::NoiseFamily::Gaussian, true);
  const DrawnHistogram drawn = draw_histogram(setting, stream);
  const DistributionBand band = *estimate_distribution(HistogramTree(drawn.histogram), {0.05, {.draws = 9999}});
  const double people = static_cast<double>(drawn.values.size());
  // alpha less the part for the number of people, and for the one more of 10,000 draws.
  const double width = std::sqrt(std::log(2 / (0.049 - 1e-4)) / (2 * people));
  for (std::size_t j = 1; j + 1 < setting.edges.size(); ++j) {
    const double truth = file_below(drawn.values, setting.edges[j]);
    EXPECT_NEAR(band.estimate[j], truth, 1e-7);
    EXPECT_NEAR(band.file[j].lower, truth, 1e-7);
    EXPECT_NEAR(band.file[j].upper, truth, 1e-7);
    EXPECT_NEAR(band.population[j].lower, std::max(0.0, truth - width), 2e-5);
    EXPECT_NEAR(band.population[j].upper, std::min(1.0, truth + width), 2e-5);
  }
  EXPECT_EQ(band.file.front().upper, 0);
  EXPECT_EQ(band.file.back().lower, 1);
}

TEST(DistributionBand, OfOneEdgeIsTheQuantileOfItsNoise) {
  NoisyHistogram histogram{.edges = {0, 1, 2}, .levels = {{600, 400}}};
  histogram.n = 1000;
  histogram.scale = 20;
  const DistributionBand band = *estimate_distribution(HistogramTree(histogram), {0.05, {.draws = 99'999}});
  const double sd = 20 / std::sqrt(2.0) / 1000;
  EXPECT_NEAR(band.file[1].lower, 0.6 - 1.96 * sd, 0.02 * sd);
  EXPECT_NEAR(band.file[1].upper, 0.6 + 1.96 * sd, 0.02 * sd);
}

TEST(DistributionBand, IsTheSameForEveryNumberOfThreadsAndIncreases) {
  numeric::InsecureStream stream(1, 2);
  const DrawnHistogram drawn = draw_histogram(band_setting(100, 6, 4, kernel::NoiseFamily::Laplace, false), stream);
  const HistogramTree tree(drawn.histogram);
  const DistributionBand one = *estimate_distribution(tree, {0.1, {.draws = 999, .threads = 1}});
  const DistributionBand many = *estimate_distribution(tree, {0.1, {.draws = 999, .threads = 3}});
  for (std::size_t j = 0; j <= tree.bins(); ++j) {
    EXPECT_EQ(one.file[j].lower, many.file[j].lower);
    EXPECT_EQ(one.population[j].upper, many.population[j].upper);
    EXPECT_LE(one.population[j].lower, one.population[j].upper);
    if (j > 0) {
      EXPECT_LE(one.file[j - 1].lower, one.file[j].lower);
      EXPECT_LE(one.file[j - 1].upper, one.file[j].upper);
      EXPECT_LE(one.estimate[j - 1], one.estimate[j]);
    }
  }
}

TEST(DistributionBand, TooFewDrawsForTheLevelAreRefused) {
  NoisyHistogram histogram{.edges = {0, 1, 2}, .levels = {{600, 400}}};
  histogram.scale = 20;
  const auto refused = estimate_distribution(HistogramTree(histogram), {1e-6, {.draws = 999}});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("draws"));
}

TEST(DistributionBand, GivesTheQuantilesOfAllFunctionsWithinIt) {
  const std::vector<double> edges = {0, 1, 2, 3, 4};
  const std::vector<Interval> band = {{0, 0}, {0.1, 0.3}, {0.4, 0.6}, {0.7, 0.9}, {1, 1}};
  const Interval median = quantile_from(band, edges, 0.5);
  EXPECT_EQ(median.lower, 1);
  EXPECT_EQ(median.upper, 3);
  EXPECT_EQ(quantile_from(band, edges, 0.05).lower, 0);
  EXPECT_EQ(quantile_from(band, edges, 0.05).upper, 1);
  EXPECT_EQ(quantile_from(band, edges, 0.95).lower, 3);
  EXPECT_EQ(quantile_from(band, edges, 0.95).upper, 4);
}

struct MissedBands {
  std::uint64_t file = 0, population = 0;
};

MissedBands missed_bands(const HistogramSetting& setting, double claimed_scale) {
  MissedBands missed;
  std::vector<double> truth;
  for (const double edge : setting.edges) truth.push_back(population_below(setting, edge));
  truth.back() = 1;
  for (std::uint64_t i = 0; i < kDrawnBands; ++i) {
    numeric::InsecureStream stream(test::suite_seed(), i);
    DrawnHistogram drawn = draw_histogram(setting, stream);
    drawn.histogram.scale = claimed_scale;
    const DistributionBand band = *estimate_distribution(HistogramTree(drawn.histogram), {0.05, {.draws = 199, .seed = i, .threads = 1}});
    bool file = true;
    bool population = true;
    for (std::size_t j = 0; j + 1 < setting.edges.size(); ++j) {
      file = file && holds(band.file[j], file_below(drawn.values, setting.edges[j]));
      population = population && holds(band.population[j], truth[j]);
    }
    missed.file += file ? 0 : 1;
    missed.population += population ? 0 : 1;
  }
  return missed;
}

TEST(DistributionBand, HoldsAtAllEdgesTogether) {
  using kernel::NoiseFamily;
  for (const HistogramSetting& setting :
       {band_setting(200, 3, 4, NoiseFamily::Gaussian, true), band_setting(50, 5, 1, NoiseFamily::Gaussian, false),
        band_setting(300, 4, 5, NoiseFamily::Laplace, false)}) {
    const MissedBands missed = missed_bands(setting, setting.scale);
    const auto file = test::judge({{"file", 0.05, missed.file, test::Side::TooMany}}, kDrawnBands, kFalseAlarmOfBands);
    const auto population = test::judge({{"population", 0.05, missed.population, test::Side::TooMany}}, kDrawnBands, kFalseAlarmOfBands);
    EXPECT_FALSE(file.red) << file.worst;
    EXPECT_FALSE(population.red) << population.worst;
  }
  test::declare_false_alarm("coverage of distribution bands", 6 * kFalseAlarmOfBands);
}

TEST(DistributionBand, CoverageTestCatchesABandThatForgetsTheNoise) {
  const MissedBands missed = missed_bands(band_setting(200, 40, 4, kernel::NoiseFamily::Gaussian, true), 0.4);
  EXPECT_TRUE(test::judge({{"file", 0.05, missed.file, test::Side::TooMany}}, kDrawnBands, kFalseAlarmOfBands).red) << missed.file;
  EXPECT_TRUE(test::judge({{"population", 0.05, missed.population, test::Side::TooMany}}, kDrawnBands, kFalseAlarmOfBands).red);
  test::declare_false_alarm("planted fault in coverage of distribution bands",
                            2 * test::chance_to_miss(0.05, 0.5, kDrawnBands, 1, kFalseAlarmOfBands));
}

}  // namespace
}  // namespace tacet::inference
