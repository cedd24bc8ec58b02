#include "tacet/workflow/infer/told_categories.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/inference/counts/collapsed_table.h"
#include "tacet/inference/counts/cramers_v.h"
#include "tacet/workflow/infer/ratio.h"
#include "tacet/workflow/infer/residuals.h"
#include "tacet/workflow/infer/stratified.h"
#include "tacet/workflow/infer/trend.h"
#include "tacet/workflow/release/import_table.h"

namespace tacet {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Sex and income, with a cell for other values on both, as release counts makes it.
CountRelease with_others(double scale, std::vector<double> values) {
  return *import_table({.values = std::move(values),
                        .shape = {3, 3},
                        .noise = {NoiseFamily::Gaussian, scale},
                        .axes = {{"sex", {"f", "m", "other"}}, {"income", {"low", "high", "other"}}}});
}
CountRelease almost_exact() { return with_others(0.1, {479.05, 58.08, 0.12, 756.1, 332.95, -0.04, 0.07, 0.11, -0.02}); }
CountRelease noisy() { return with_others(3, {477.2, 61.4, 3.1, 758.4, 331.2, -2.2, 4.9, -1.3, 2.6}); }
constexpr double kTrueV = 0.217649;  // of 479, 58, 756 and 333 people

ToldTable told_of(const CountRelease& release) { return told_table(release, *two_columns(release, std::nullopt, std::nullopt)); }

TEST(ToldCategories, NamesThoseThatMayBeEmptyAndKeepsTheOthersInOrder) {
  const ToldTable told = told_of(noisy());
  EXPECT_THAT(told.left_out, ElementsAre("sex=other", "income=other"));
  EXPECT_THAT(told.rows.labels, ElementsAre("f", "m"));
  EXPECT_THAT(told.columns.labels, ElementsAre("low", "high"));
  EXPECT_THAT(told.class_of_cell, ElementsAre(0, 1, 4, 2, 3, 4, 4, 4, 4));
  EXPECT_EQ(told.classes(), 4U);
}

TEST(ToldCategories, ACategoryOfAFewPeopleStaysWhereNoiseTellsThem) {
  EXPECT_THAT(told_of(with_others(0.1, {479.05, 58.08, 2.9, 756.1, 332.95, 1.1, 1.07, 0.11, -0.02})).left_out, IsEmpty());
  EXPECT_THAT(told_of(with_others(0.1, {479.05, 58.08, 2.9, 756.1, 332.95, 1.1, 0.07, 0.11, -0.02})).left_out, ElementsAre("sex=other"));
}

TEST(ToldCategories, AllStayWhereNoiseMayBeAllThereIs) {
  const ToldTable told = told_of(with_others(5000, {479, 58, 0, 756, 333, 0, 1, 0, 0}));
  EXPECT_THAT(told.left_out, IsEmpty());
  EXPECT_EQ(told.classes(), 9U);
  EXPECT_THAT(told.class_of_cell, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
}

/// Of those with a high income, by age, with a cell for other ages.
TrendAnswer trend_of(std::vector<double> values, std::vector<double> scores, double scale = 3) {
  const CountRelease release = *import_table({.values = std::move(values),
                                              .shape = {4, 2},
                                              .noise = {NoiseFamily::Gaussian, scale},
                                              .axes = {{"age", {"young", "middle", "old", "other"}}, {"income", {"low", "high"}}}});
  return *infer_trend(release,
                      {.of = *parse_event("income=high", "of"), .by = "age", .scores = std::move(scores), .simulation = {.draws = 999}});
}

TEST(ToldCategories, ATrendIsAlongThoseThatHavePeople) {
  const std::vector<double> unused = {200, 20, 180, 40, 160, 60, 4, -1}, used = {200, 20, 180, 40, 160, 60, 40, 10};
  const TrendAnswer trend = trend_of(unused, {});
  EXPECT_THAT(trend.left_out, ElementsAre("other"));
  EXPECT_THAT(trend.categories, ElementsAre("young", "middle", "old"));
  EXPECT_THAT(trend.scores, ElementsAre(1, 2, 3));
  EXPECT_NEAR(*trend.slope, 0.0909091, 1e-5);  // 20, 40 and 60 of 220
  EXPECT_THAT(trend_of(unused, {0, 5, 9, 70}).scores, ElementsAre(0, 5, 9));
  EXPECT_THAT(trend_of(unused, {0, 5, 9}).scores, ElementsAre(0, 5, 9));
  EXPECT_EQ(*trend_of(unused, {0, 5, 9, 70}).slope, *trend_of(unused, {0, 5, 9}).slope);
  const TrendAnswer whole = trend_of(used, {});
  EXPECT_THAT(whole.left_out, IsEmpty());
  EXPECT_THAT(whole.scores, ElementsAre(1, 2, 3, 4));
  // Where noise may be all there is, all stay.
  EXPECT_THAT(trend_of(unused, {}, 5000).left_out, IsEmpty());
}

TEST(ToldCategories, StrataAreNamedByTheirColumns) {
  const CountRelease release =
      *import_table({.values = {20, 30, 40, 50, 61, 71, 80, 90, 0.1, -0.2, 0.1, 0.1, 11, 21, 31, 41},
                     .shape = {2, 2, 2, 2},
                     .noise = {NoiseFamily::Gaussian, 0.2},
                     .axes = {{"region", {"north", "south"}}, {"old", {"no", "yes"}}, {"smoking", {"no", "yes"}}, {"ill", {"no", "yes"}}}});
  const ToldTable told = told_table(release, *classes_by(release, {"region", "old", "smoking", "ill"}, "strata"));
  EXPECT_THAT(told.left_out, ElementsAre("region=south and old=no"));
  EXPECT_EQ(told.strata, 3U);
  EXPECT_EQ(told.class_of_cell[8], told.classes());
  EXPECT_EQ(told.class_of_cell[12], 8U);
}

// With the empty categories V would be a ratio of noise to noise: its interval for the file missed
// the truth in half of all releases.
TEST(ToldCategories, CramersVDoesNotDivideByNoise) {
  const RatioOptions asked{.measure = RatioMeasure::CramersV, .simulation = {.draws = 400}};
  for (const CountRelease& release : {almost_exact(), noisy()}) {
    const RatioAnswer v = *infer_ratio(release, asked);
    EXPECT_NEAR(*v.estimate, kTrueV, 0.02);
    EXPECT_LE(v.file.lower, kTrueV);
    EXPECT_GE(v.file.upper, kTrueV);
    EXPECT_THAT(v.left_out, ElementsAre("sex=other", "income=other"));
  }
}

// Of 80 people and noise of 15 in each cell nobody can tell who is there: every interval would be
// one of noise, and missed the truth in half of all releases.
TEST(ToldCategories, CramersVIsNotKnownWhereNoiseMayBeAllThereIs) {
  const RatioAnswer v = *infer_ratio(with_others(15, {31, 12, -4, 20, 17, 9, 3, -8, 11}), {.measure = RatioMeasure::CramersV});
  EXPECT_FALSE(v.estimate);
  EXPECT_EQ(v.file.lower, 0);
  EXPECT_EQ(v.file.upper, 1);
  EXPECT_EQ(v.reason, "fewer than two categories of \"sex\" have people for sure: noise may be all there is");
}

// The same with all categories: noise of a tenth of a person decides V.
TEST(ToldCategories, CramersVOfAllCategoriesWouldMissTheTruth) {
  const std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const inference::CollapsedTable table(almost_exact(), all, 9);
  const inference::CramersV v = *inference::estimate_cramers_v(table, {3, 3}, {.simulation = {.draws = 400}});
  EXPECT_GT(std::abs(*v.estimate - kTrueV), 0.05);
  EXPECT_TRUE(v.file.upper < kTrueV || v.file.lower > kTrueV) << v.file.lower << " to " << v.file.upper;
}

TEST(ToldCategories, ResidualsAreOfTheCategoriesThatHavePeople) {
  const ResidualAnswer found = *infer_residuals(noisy(), {.simulation = {.draws = 999}});
  ASSERT_EQ(found.cells.size(), 4U) << found.reason.value_or("");
  EXPECT_EQ(found.cells[3].column, "high");
  EXPECT_TRUE(found.cells[3].deviates);
  EXPECT_THAT(found.left_out, ElementsAre("sex=other", "income=other"));
}

TEST(ToldCategories, StrataOfNobodyDoNotHideTheCommonOddsRatio) {
  std::vector<double> values;
  for (const double people : {1.0, 2.0, 0.0})
    for (const double cell : {200.0, 100.0, 0.0, 100.0, 150.0, 0.0, 0.0, 0.0, 0.0}) values.push_back(people * cell);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += i % 2 == 0 ? 1.25 : -1.5;
  const CountRelease release =
      *import_table({.values = values,
                     .shape = {3, 3, 3},
                     .noise = {NoiseFamily::Gaussian, 2},
                     .axes = {{"age", {"young", "old", "missing"}}, {"smoking", {"no", "yes", "other"}}, {"ill", {"no", "yes", "other"}}}});
  const StratifiedAnswer found = *infer_stratified(release, {.rows = "smoking", .columns = "ill", .strata = {"age"}});
  ASSERT_TRUE(found.odds_ratio) << found.interval_reason.value_or("");
  EXPECT_NEAR(*found.odds_ratio, 3, 0.1);
  EXPECT_EQ(found.df, 1);
  EXPECT_THAT(found.left_out, ElementsAre("smoking=other", "ill=other", "age=missing"));
}

}  // namespace
}  // namespace tacet
