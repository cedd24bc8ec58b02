// Quantiles of noisy histograms: order statistics without noise, and coverage with noise and
// sampling.
#include "tacet/inference/histograms/quantile.h"

#include <boost/math/distributions/binomial.hpp>
#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_histogram.h"

#include "support/promise.h"

namespace tacet::inference {
namespace {

using studies::bin_of;
using studies::draw_histogram;
using studies::DrawnHistogram;
using studies::equal_edges;
using studies::exact_histogram;
using studies::HistogramSetting;
using studies::holds;
using studies::true_quantile;

using kernel::NoiseFamily;

constexpr double kFalseAlarmOfQuantiles = 2e-12;
constexpr std::uint64_t kDrawnHistograms = 150;

/// Numbers without ties or with many, in three very different units.
std::vector<double> made_up_values(std::size_t count, double unit, bool ties) {
  std::vector<double> values;
  numeric::InsecureStream stream(3, count);
  for (std::size_t i = 0; i < count; ++i) {
    const double u = stream.uniform();
    values.push_back(unit * (ties ? std::floor(12 * u * u) : 12 * u * u));
  }
  std::sort(values.begin(), values.end());
  return values;
}

NoisyHistogram nearly_exact(const std::vector<double>& values, const std::vector<double>& edges, std::size_t branching) {
  NoisyHistogram histogram = exact_histogram(values, edges, branching, /*missing=*/7);
  histogram.n = static_cast<double>(values.size()) + 7;
  histogram.scale = 1e-6;
  return histogram;
}

/// The order statistics of Thompson (1936): the ranks l and u of the binomial distribution, by
/// adding up its probabilities.
Interval order_statistics(const std::vector<double>& sorted, double p, double alpha) {
  const boost::math::binomial_distribution<double> binomial(static_cast<double>(sorted.size()), p);
  std::size_t lower = 0;
  for (std::size_t l = 1; l <= sorted.size() && cdf(binomial, static_cast<double>(l) - 1) <= alpha / 2; ++l) lower = l;
  std::size_t upper = sorted.size() + 1;
  for (std::size_t u = sorted.size(); u >= 1 && cdf(complement(binomial, static_cast<double>(u) - 1)) <= alpha / 2; --u) upper = u;
  return {lower == 0 ? -HUGE_VAL : sorted[lower - 1], upper > sorted.size() ? HUGE_VAL : sorted[upper - 1]};
}

TEST(Quantile, WithoutNoiseIsTheOrderStatisticsUpToEdges) {
  for (const double unit : {1e-6, 1.0, 1e7}) {
    for (const bool ties : {false, true}) {
      for (const std::size_t people : {std::size_t{6}, std::size_t{101}, std::size_t{2000}}) {
        const std::vector<double> values = made_up_values(people, unit, ties);
        const std::vector<double> edges = equal_edges(0, 12 * unit, 48);
        for (const std::size_t branching : {std::size_t{1}, std::size_t{4}}) {
          const HistogramTree tree(nearly_exact(values, edges, branching));
          for (const double p : {0.01, 0.25, 0.5, 0.99}) {
            const QuantileInterval found = estimate_quantile(tree, edges, p, 0.05);
            const Interval ranks = order_statistics(values, p, 0.05);
            const double lowest = ranks.lower < 0 ? edges.front() : edges[bin_of(edges, ranks.lower)];
            const double highest = std::isinf(ranks.upper) ? edges.back() : edges[bin_of(edges, ranks.upper) + 1];
            EXPECT_EQ(found.population.lower, lowest) << unit << " " << ties << " " << people << " " << p;
            EXPECT_EQ(found.population.upper, highest) << unit << " " << ties << " " << people << " " << p;
            const double truth = true_quantile(values, p);
            EXPECT_EQ(found.file.lower, edges[bin_of(edges, truth)]) << unit << " " << ties << " " << people << " " << p;
            EXPECT_EQ(found.file.upper, edges[bin_of(edges, truth) + 1]) << unit << " " << ties << " " << people << " " << p;
            EXPECT_NEAR(*found.estimate, truth, 0.26 * unit);
          }
        }
      }
    }
  }
}

TEST(Quantile, OfTheFileHasTheExactQuantileOfTheNoise) {
  // 100 people in each of 10 bins, n public and nobody missing: half of them below edge 5, with the
  // variance 10/4 of a bin's noise. The interval ends where 100 j - 500 is 1.96 sd away.
  NoisyHistogram histogram{.edges = equal_edges(0, 10, 10), .levels = {std::vector<double>(10, 100)}};
  histogram.n = 1000;
  for (const auto& [scale, lower, upper] : {std::tuple{30.0, 4.0, 6.0}, {34.0, 3.0, 7.0}}) {
    histogram.scale = scale;  // at edge 4 the variance is 24/10: 100 against 1.96 * 1.549 * scale
    const QuantileInterval median = estimate_quantile(HistogramTree(histogram), histogram.edges, 0.5, 0.05);
    EXPECT_EQ(median.file.lower, lower);
    EXPECT_EQ(median.file.upper, upper);
    EXPECT_NEAR(*median.estimate, 5, 1e-9);
  }
}

TEST(Quantile, OfNobodyIsUnknown) {
  NoisyHistogram histogram{.edges = equal_edges(0, 10, 10), .levels = {std::vector<double>(10, 0.3)}};
  histogram.missing = 2;
  histogram.scale = 8;
  const QuantileInterval median = estimate_quantile(HistogramTree(histogram), histogram.edges, 0.5, 0.05);
  EXPECT_FALSE(median.estimate);
  EXPECT_EQ(median.population.lower, 0);
  EXPECT_EQ(median.population.upper, 10);
}

// The quantile p counted from below is the quantile 1 - p counted from above.
TEST(Quantile, OfReversedNumbersIsTheReverse) {
  NoisyHistogram histogram{.edges = equal_edges(-10, 10, 20), .levels = {std::vector<double>(20)}};
  for (std::size_t i = 0; i < 20; ++i) histogram.levels[0][i] = 3 + std::pow(static_cast<double>(i), 1.7);
  NoisyHistogram reversed = histogram;
  std::reverse(reversed.levels[0].begin(), reversed.levels[0].end());
  for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
    for (const double scale : {0.9, 4.0, 30.0}) {
      histogram.family = reversed.family = family;
      histogram.scale = reversed.scale = scale;
      for (const double p : {0.125, 0.25, 0.4375, 0.96875}) {
        const QuantileInterval found = estimate_quantile(HistogramTree(histogram), histogram.edges, p, 0.05);
        const QuantileInterval mirrored = estimate_quantile(HistogramTree(reversed), reversed.edges, 1 - p, 0.05);
        EXPECT_EQ(found.population.lower, -mirrored.population.upper) << scale << " " << p;
        EXPECT_EQ(found.population.upper, -mirrored.population.lower) << scale << " " << p;
      }
    }
  }
}

// Numbers that only a made-up file has: each of these once took for ever.
TEST(Quantile, OfMorePeopleThanThereAreComesToAnEnd) {
  for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
    for (const double people : {1e17, 1e20, 1e99}) {
      for (const double scale : {1e-100, 1.0, 1e6, 1e17}) {
        const NoisyHistogram histogram{
            .edges = {0, 1, 2}, .levels = {{people / 2, people / 2}}, .missing = 0, .family = family, .scale = scale};
        for (const double p : {0.5, 1e-12, 0.999999999999}) {
          const QuantileInterval found = estimate_quantile(HistogramTree(histogram), histogram.edges, p, 0.05);
          EXPECT_LE(found.population.lower, found.population.upper);
        }
      }
    }
  }
}

TEST(Quantile, OfAPartOfATableIsThatOfItsCells) {
  mechanisms::CountRelease table{};
  table.axes = {{"sex", {"f", "m"}}, {"age", {"0 to under 10", "10 to 20", "missing"}, {0, 10, 20}}};
  table.shape = {2, 3};
  table.values = {10, 30, 2, 50, 5, 1};
  table.n = 98;
  table.noise = {NoiseFamily::Gaussian, 0.5};
  const NoisyHistogram women = noisy_histogram(table, 1, {true, true, true, false, false, false});
  EXPECT_EQ(women.levels, (std::vector<std::vector<double>>{{10, 30}}));
  EXPECT_EQ(*women.missing, 2);
  EXPECT_FALSE(women.n);
  EXPECT_EQ(women.copies, 1U);
  const NoisyHistogram all = noisy_histogram(table, 1, {});
  EXPECT_EQ(all.levels, (std::vector<std::vector<double>>{{60, 35}}));
  EXPECT_EQ(all.copies, 2U);
  EXPECT_EQ(all.n, 98);
}

std::vector<HistogramSetting> drawn_settings(double scale) {
  const auto skewed = [](double u) { return -std::log1p(-u); };
  const auto discrete = [](double u) { return u < 0.3 ? 0.0 : u < 0.55 ? 1.0 : std::floor(10 * u); };
  return {{"skewed, tree", skewed, 300, equal_edges(0, 8, 40), 4, NoiseFamily::Gaussian, scale, 0, true},
          {"skewed, flat, n private, missing", skewed, 60, equal_edges(0, 8, 24), 1, NoiseFamily::Gaussian, scale, 0.2, false},
          {"ties, flat, Laplace", discrete, 200, equal_edges(0, 10, 10), 1, NoiseFamily::Laplace, scale, 0.1, true},
          {"ties, tree, Laplace, n private", discrete, 200, equal_edges(0, 10, 10), 3, NoiseFamily::Laplace, scale, 0, false}};
}

struct MissedQuantiles {
  std::uint64_t file = 0, population = 0;
};

MissedQuantiles missed_quantiles(const HistogramSetting& setting, double p, double claimed_scale) {
  MissedQuantiles missed;
  for (std::uint64_t i = 0; i < kDrawnHistograms; ++i) {
    numeric::InsecureStream stream(test::suite_seed(), i);
    DrawnHistogram drawn = draw_histogram(setting, stream);
    drawn.histogram.scale = claimed_scale;
    const QuantileInterval found = estimate_quantile(HistogramTree(drawn.histogram), setting.edges, p, 0.05);
    missed.file += holds(found.file, true_quantile(drawn.values, p)) ? 0 : 1;
    missed.population += holds(found.population, setting.quantile(p)) ? 0 : 1;
  }
  return missed;
}

test::Verdict missed_too_often(const std::string& name, std::uint64_t count) {
  return test::judge({{name, 0.05, count, test::Side::TooMany}}, kDrawnHistograms, kFalseAlarmOfQuantiles);
}

TEST(Quantile, IntervalsKeepTheirCoverage) {
  for (const HistogramSetting& setting : drawn_settings(4)) {
    for (const double p : {0.1, 0.5, 0.99}) {
      const MissedQuantiles missed = missed_quantiles(setting, p, setting.scale);
      const auto file = missed_too_often("file, " + setting.name, missed.file);
      const auto population = missed_too_often("population, " + setting.name, missed.population);
      EXPECT_FALSE(file.red) << file.worst;
      EXPECT_FALSE(population.red) << population.worst;
    }
  }
  test::declare_false_alarm("coverage of quantiles", 24 * kFalseAlarmOfQuantiles);
}

// Whoever takes the noise for a hundredth of what it is misses most quantiles, and is caught.
TEST(Quantile, CoverageTestCatchesAnIntervalThatForgetsTheNoise) {
  const HistogramSetting setting{"uniform", [](double u) { return 10 * u; }, 3000, equal_edges(0, 10, 10), 1, NoiseFamily::Gaussian, 300, 0,
                                 true};
  const MissedQuantiles missed = missed_quantiles(setting, 0.45, 3);
  EXPECT_TRUE(missed_too_often("file", missed.file).red) << missed.file;
  EXPECT_TRUE(missed_too_often("population", missed.population).red) << missed.population;
  test::declare_false_alarm("planted fault in coverage of quantiles",
                            2 * test::chance_to_miss(0.05, 0.5, kDrawnHistograms, 1, kFalseAlarmOfQuantiles));
}

}  // namespace
}  // namespace tacet::inference
