// Intervals from releases that count the rows of people who have several: those for the file hold,
// and those for a population would not.
#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_histogram.h"
#include "tacet/workflow/infer/distribution.h"
#include "tacet/workflow/infer/margin.h"
#include "tacet/workflow/infer/proportion.h"
#include "tacet/workflow/infer/quantile.h"
#include "tacet/workflow/infer/ratio.h"

#include "inference/drawn_table.h"
#include "support/promise.h"

namespace tacet {
namespace {

using inference::count_misses;
using inference::DrawnTable;
using inference::Missed;
using inference::outside;
using inference::TableSetting;
using inference::too_often;
using studies::holds;

constexpr std::uint64_t kDrawnFiles = 600;
constexpr double kFalseAlarmOfRows = 1e-10;
constexpr std::int64_t kRowsEach = 4;

const mechanisms::ReleasedContributions kFourRows{Counted::Rows, kRowsEach, {}};

/// A 2 x 2 table of rows: every person has four that are all alike.
inference::Misses missed_rows(const TableSetting& people, const auto& missed_by) {
  return count_misses(people, kDrawnFiles, [&](DrawnTable table, std::uint64_t seed) {
    for (std::size_t i = 0; i < table.counts.size(); ++i) {
      table.release.values[i] += (kRowsEach - 1) * table.counts[i];
      table.counts[i] *= kRowsEach;
    }
    table.release.header.contributions = kFourRows;
    return missed_by(table, seed);
  });
}

double first_part(const std::vector<double>& counts) { return (counts[0] + counts[1]) / (counts[0] + counts[1] + counts[2] + counts[3]); }

const ProportionOf kFirst{{{{"1", {"1"}}}}};
const std::vector<double> kParts = {0.2, 0.15, 0.4, 0.25};

std::vector<TableSetting> settings_of_rows(double people) {
  std::vector<TableSetting> settings = inference::noisy_settings({2, 2}, kParts, people);
  std::erase_if(settings, [](const TableSetting& setting) { return setting.n_public; });  // how many rows there are is private
  return settings;
}

TEST(RowsOfPeople, IntervalsOfProportionsForTheFileKeepTheirCoverage) {
  for (const double people : {20.0, 150.0}) {
    for (const TableSetting& setting : settings_of_rows(people)) {
      const inference::Misses missed = missed_rows(setting, [](const DrawnTable& t, std::uint64_t) {
        const ProportionRow row = infer_proportions(t.release, {.of = {kFirst}})->rows[0];
        EXPECT_FALSE(row.population);
        return Missed{outside(row.file, first_part(t.counts)), false};
      });
      const auto verdict = too_often(setting.name, missed.file, kDrawnFiles, kFalseAlarmOfRows);
      EXPECT_FALSE(verdict.red) << verdict.worst;
    }
  }
  test::declare_false_alarm("coverage of proportions of rows", 4 * kFalseAlarmOfRows);
}

// Read as if each row were a person, an interval for the population misses a third of the
// time, and is caught: half the width that sampling of people would need.
TEST(RowsOfPeople, AnIntervalForThePopulationOfRowsWouldMiss) {
  const TableSetting setting = settings_of_rows(600)[0];
  const inference::Misses missed = missed_rows(setting, [](const DrawnTable& t, std::uint64_t) {
    CountRelease once = t.release;
    once.header.contributions.reset();
    return Missed{false, outside(*infer_proportions(once, {.of = {kFirst}})->rows[0].population, kParts[0] + kParts[1])};
  });
  EXPECT_TRUE(too_often("population", missed.population, kDrawnFiles, kFalseAlarmOfRows).red) << missed.population;
  test::declare_false_alarm("an interval for the population of rows", test::chance_to_miss(0.05, 0.25, kDrawnFiles, 1, kFalseAlarmOfRows));
}

HistogramRelease histogram_of_rows(const studies::DrawnHistogram& drawn) {
  HistogramRelease release;
  release.header.contributions = kFourRows;
  release.column = "ldl";
  release.edges = drawn.histogram.edges;
  release.branching = drawn.histogram.branching;
  release.values = drawn.histogram.levels;
  release.missing = *drawn.histogram.missing;
  release.noise = {drawn.histogram.family, drawn.histogram.scale, mechanisms::NoiseStructure::Independent};
  return release;
}

/// A file in which every value occurs four times, as the rows of one person.
studies::DrawnHistogram four_of_each(studies::DrawnHistogram drawn) {
  const std::vector<double> people = drawn.values;
  const inference::NoisyHistogram one = studies::exact_histogram(people, drawn.histogram.edges, drawn.histogram.branching, 0);
  for (std::size_t level = 0; level < one.levels.size(); ++level) {
    for (std::size_t i = 0; i < one.levels[level].size(); ++i) drawn.histogram.levels[level][i] += (kRowsEach - 1) * one.levels[level][i];
  }
  drawn.values.clear();
  for (const double value : people) drawn.values.insert(drawn.values.end(), kRowsEach, value);
  return drawn;
}

TEST(RowsOfPeople, IntervalsOfQuantilesForTheFileKeepTheirCoverage) {
  const auto skewed = [](double u) { return -std::log1p(-u); };
  for (const auto family : {kernel::NoiseFamily::Gaussian, kernel::NoiseFamily::Laplace}) {
    const studies::HistogramSetting setting{"rows", skewed, 80, studies::equal_edges(0, 8, 40), 4, family, 8, 0, false};
    std::uint64_t missed = 0;
    for (std::uint64_t i = 0; i < kDrawnFiles; ++i) {
      numeric::InsecureStream stream(test::suite_seed(), i);
      const studies::DrawnHistogram drawn = four_of_each(studies::draw_histogram(setting, stream));
      const QuantileRow median = infer_quantiles(histogram_of_rows(drawn), {.probabilities = {0.5}})->rows[0];
      EXPECT_FALSE(median.population);
      missed += holds(median.file, studies::true_quantile(drawn.values, 0.5)) ? 0 : 1;
    }
    const auto verdict = too_often("median", missed, kDrawnFiles, kFalseAlarmOfRows);
    EXPECT_FALSE(verdict.red) << verdict.worst;
  }
  test::declare_false_alarm("coverage of quantiles of rows", 2 * kFalseAlarmOfRows);
}

// The same of all that is inferred: no interval for a population, with the reason, whatever is
// counted.
TEST(RowsOfPeople, NoIntervalForAPopulationIsShownWhereAPersonMayCountAgain) {
  CountRelease release = inference::release_of({30, 20, 40, 10}, {2, 2}, std::nullopt, inference::gaussian(1));
  release.header.contributions = {Counted::People, 2, 3};
  const ProportionOf second{{{{"1", {"2"}}}}};
  const auto reason = ::testing::Optional(::testing::StartsWith("a person may count up to 6 times in this release"));
  const ProportionAnswer difference = *infer_proportions(release, {.of = {kFirst}, .minus = second});
  EXPECT_FALSE(difference.difference->population);
  EXPECT_FALSE(difference.rows[1].population);
  EXPECT_THAT(difference.about.no_population, reason);
  const MarginAnswer margin = *infer_margin(release, {.of = {"1"}});
  EXPECT_FALSE(margin.rows[0].population);
  EXPECT_THAT(margin.about.no_population, reason);
  for (const RatioMeasure measure : {RatioMeasure::Ratio, RatioMeasure::OddsRatio}) {
    const RatioAnswer ratio = *infer_ratio(release, {.of = kFirst, .to = second, .measure = measure});
    EXPECT_FALSE(ratio.population);
    EXPECT_FALSE(ratio.reason);
    EXPECT_THAT(ratio.about.no_population, reason);
  }
  const RatioAnswer v = *infer_ratio(release, {.measure = RatioMeasure::CramersV, .simulation = {.draws = 200}});
  EXPECT_FALSE(v.population);
  EXPECT_THAT(v.about.no_population, reason);
  release.axes = {{"age", {"0 to under 10", "10 to 20"}, {0, 10, 20}}, {"sex", {"f", "m"}}};
  EXPECT_FALSE(infer_quantiles(release, {})->rows[0].population);
  EXPECT_FALSE(infer_quantiles(release, {.intervals = IntervalKind::Simultaneous, .simulation = {.draws = 200}})->rows[0].population);
  const DistributionAnswer band = *infer_distribution(release, {.simulation = {.draws = 200}});
  EXPECT_TRUE(band.band.population.empty());
  EXPECT_THAT(band.about.no_population, reason);
  EXPECT_EQ(band.about.counted, Counted::People);
}

}  // namespace
}  // namespace tacet
