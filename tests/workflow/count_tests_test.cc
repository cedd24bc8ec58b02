// The typed tests of counts and the estimate: on imported tables, without a file.
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/workflow/infer/estimate_counts.h"
#include "tacet/workflow/infer/goodness_of_fit.h"
#include "tacet/workflow/infer/gwas.h"
#include "tacet/workflow/infer/homogeneity.h"
#include "tacet/workflow/infer/independence.h"
#include "tacet/workflow/release/import_local.h"
#include "tacet/workflow/release/import_table.h"

namespace tacet {
namespace {

using ::testing::HasSubstr;

CountRelease counts(std::vector<double> values, std::vector<std::size_t> shape, NoiseDistribution noise, std::optional<double> n = 1000) {
  return *import_table({.values = std::move(values), .shape = std::move(shape), .noise = noise, .n = n});
}
CountRelease gaussian(std::vector<double> values, std::vector<std::size_t> shape = {}) {
  return counts(std::move(values), std::move(shape), {NoiseFamily::Gaussian, 8});
}
LocalRelease reports(std::vector<double> reported, std::vector<std::size_t> shape = {}) {
  return *import_local({.kind = LocalKind::Exp, .reports = std::move(reported), .shape = std::move(shape), .n = 1000, .loss = Epsilon(1)});
}

TEST(TestGoodnessOfFit, RetainsWhatFitsAndRejectsWhatDoesNot) {
  const auto near = test_goodness_of_fit(gaussian({505, 290, 203}), {0.5, 0.3, 0.2});
  ASSERT_TRUE(near.ok()) << near.error().message();
  EXPECT_EQ(near->outcome, Outcome::Retain);
  EXPECT_EQ(near->alpha, 0.05);
  EXPECT_EQ(near->n, 1000);
  EXPECT_EQ(near->seed, 1);
  const auto far = test_goodness_of_fit(gaussian({700, 200, 100}), {0.5, 0.3, 0.2}, {.alpha = 0.01, .method = GofMethod::Asymptotic});
  EXPECT_EQ(far->outcome, Outcome::Reject);
  EXPECT_EQ(far->alpha, 0.01);
  EXPECT_EQ(far->seed, std::nullopt);
  EXPECT_EQ(far->draws, std::nullopt);
}

TEST(TestGoodnessOfFit, ServesEitherKindOfTable) {
  const TestedTable either = reports({412, 301, 287});
  const auto test = test_goodness_of_fit(either, {0.5, 0.3, 0.2});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->df, 2);
  EXPECT_EQ(test->n, 1000);
  EXPECT_EQ(test_goodness_of_fit(TestedTable(gaussian({505, 290, 203})), {0.5, 0.3, 0.2})->outcome, Outcome::Retain);
}

TEST(TestGoodnessOfFit, RefusesToDenoiseLocalReports) {
  EXPECT_EQ(
      test_goodness_of_fit(reports({412, 301, 287}), {0.5, 0.3, 0.2}, {.project = Projection::Simplex}).error().message(),
      "release is local reports, but must be counts with noise where shrink or project is asked for; local reports are tested as they "
      "are: leave shrink and project out");
}

TEST(TestGoodnessOfFit, RefusesALevelThatIsNone) {
  EXPECT_EQ(test_goodness_of_fit(gaussian({505, 290, 203}), {0.5, 0.3, 0.2}, {.alpha = 0.7}).error().message(),
            "alpha is 0.7, but must be at least 1e-9 and at most 0.5; for example: alpha = 0.05");
}

TEST(TestGoodnessOfFit, WithoutPeopleSaysWhyThereIsNoAnswer) {
  const auto test = test_goodness_of_fit(counts({-5, 1, 2}, {}, {NoiseFamily::Gaussian, 8}, std::nullopt), {0.5, 0.3, 0.2});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->outcome, Outcome::Inconclusive);
  EXPECT_EQ(test->p_value, std::nullopt);
  EXPECT_EQ(test->statistic, std::nullopt);
  EXPECT_THAT(test->reason.value_or(""), HasSubstr("less than one person"));
}

TEST(TestGoodnessOfFit, TellsTheContextOfItsProgress) {
  Context context;
  std::string doing;
  double last = 0;
  context.progress = [&](std::string_view what, double fraction) {
    doing = what;
    last = fraction;
  };
  ASSERT_TRUE(test_goodness_of_fit(gaussian({505, 290, 203}), {0.5, 0.3, 0.2}, {}, context).ok());
  EXPECT_EQ(doing, "simulating tables");
  EXPECT_GT(last, 0);
}

TEST(TestIndependence, GivesTheFittedTable) {
  const auto test = test_independence(gaussian({251, 249, 247, 252}, {2, 2}), {.alpha = 0.05});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->outcome, Outcome::Retain);
  ASSERT_TRUE(test->fitted.has_value());
  EXPECT_EQ(test->fitted->rows, 2);
  EXPECT_NEAR(test->fitted->at(0, 0) * test->fitted->at(1, 1), test->fitted->at(0, 1) * test->fitted->at(1, 0), 1e-9);
  EXPECT_EQ(test->rows, std::nullopt);
  EXPECT_EQ(test_independence(gaussian({400, 100, 100, 400}, {2, 2}))->outcome, Outcome::Reject);
  EXPECT_EQ(test_independence(TestedTable(reports({330, 230, 240, 200}, {2, 2})))->df, 1);
}

TEST(TestIndependence, TakesTwoVariablesOfMore) {
  CountRelease three = gaussian({60, 65, 62, 61, 63, 62, 60, 64}, {2, 2, 2});
  three.axes = {{"smoking", {"no", "yes"}}, {"ill", {"no", "yes"}}, {"sex", {"f", "m"}}};
  const auto test = test_independence(three, {.rows = "sex", .columns = "smoking"});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->rows, "sex");
  EXPECT_EQ(test->columns, "smoking");
  EXPECT_EQ(test_independence(three, {.rows = "sex"}).error().message(),
            "columns is missing, but must name the other variable of the table; for example: rows = smoking columns = disease");
  EXPECT_EQ(test_independence(three).error().name(), "release");
  EXPECT_EQ(test_independence(reports({330, 230, 240, 200}, {2, 2}), {.rows = "sex", .columns = "ill"}).error().message(),
            "release is local reports, but must be counts with noise where rows and columns are named; local reports of two variables are "
            "tested as they are: leave rows and columns out");
}

TEST(TestGwas, ShowsTheBaselineOfTheSamePrivacy) {
  const auto test = test_gwas(counts({171.2, 248.9, 160.4, 130.1, 166.8, 121.5}, {3, 2}, {NoiseFamily::Gaussian, 10}));
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->outcome, Outcome::Reject);
  EXPECT_NEAR(test->baseline_critical.value_or(0), 48.55255177, 1e-6);
  const auto laplace = test_gwas(counts({171.2, 248.9, 160.4, 130.1, 166.8, 121.5}, {3, 2}, {NoiseFamily::Laplace, 10}));
  EXPECT_EQ(laplace->baseline_critical, std::nullopt);
  EXPECT_EQ(test_gwas(gaussian({251, 249, 247, 252}, {2, 2})).error().message(),
            "release is a table of 2 x 2, but must be 3 genotypes x 2 groups, or 2 x 3; use `infer independence` for any other table");
}

TEST(TestGwas, TakesAStatisticThatWasNoisedItself) {
  const auto test = test_gwas(NoisedChiSquare{.statistic = 61.3, .n = 1000, .rho = 0.01});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->outcome, Outcome::Reject);
  EXPECT_EQ(test->n, 1000);
  EXPECT_EQ(test->fitted, std::nullopt);
  EXPECT_EQ(test_gwas(NoisedChiSquare{.statistic = 3, .n = 101, .rho = 1}).error().name(), "n");
}

TEST(TestHomogeneity, ComparesGroupsOfDifferentSizeAndNoise) {
  const CountRelease north = gaussian({505, 290, 203});
  const CountRelease south = counts({2480, 1530, 1001}, {}, {NoiseFamily::Gaussian, 20}, 5000);
  const CountRelease east = counts({260, 140, 98}, {}, {NoiseFamily::Laplace, 5}, std::nullopt);
  const auto same = test_homogeneity({north, south, east}, {.simulation = {.draws = 999}});
  ASSERT_TRUE(same.ok()) << same.error().message();
  EXPECT_EQ(same->outcome, Outcome::Retain);
  EXPECT_EQ(same->n, (std::vector<std::optional<double>>{1000, 5000, std::nullopt}));
  EXPECT_EQ(same->people, (std::vector<double>{1000, 5000, 498}));
  ASSERT_TRUE(same->pooled.has_value());
  EXPECT_NEAR(same->pooled->at(0), 0.5, 0.02);
  EXPECT_EQ(test_homogeneity({north, gaussian({300, 400, 300})})->outcome, Outcome::Reject);
  EXPECT_EQ(test_homogeneity({north}).error().name(), "releases");
}

TEST(EstimateCounts, HasIntervalsAroundTheReleasedValues) {
  const CountRelease table = counts({812, 90, 455, 120}, {2, 2}, {NoiseFamily::Laplace, 2}, 1468);
  const auto estimate = estimate_counts(table, {.project = Projection::Simplex});
  ASSERT_TRUE(estimate.ok()) << estimate.error().message();
  EXPECT_LT(estimate->lower[1], 90);
  EXPECT_GT(estimate->upper[1], 90);
  EXPECT_NEAR(estimate->values[0] + estimate->values[1] + estimate->values[2] + estimate->values[3], 1468, 1e-9);
  EXPECT_LT(estimate_counts(table, {.intervals = IntervalKind::Marginal})->margin, estimate->margin);
  EXPECT_EQ(estimate_counts(table, {.shrink = Shrinkage::TowardsMean}).error().name(), "shrink");
}

}  // namespace
}  // namespace tacet
