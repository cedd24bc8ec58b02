#include "tacet/workflow/release/import_mean.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/mechanisms/covariance.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/workflow/infer/compare_means.h"
#include "tacet/workflow/infer/mean_region.h"
#include "tacet/workflow/infer/test_mean.h"

#include "kernel/scratch_folder.h"

namespace tacet {
namespace {

/// 400 rows in very different units: years, and milligrams.
struct PlainRows {
  std::vector<double> ages, doses;
  double mean_age = 0, mean_dose = 0;
  Matrix covariance = Matrix::zeros(2, 2);

  explicit PlainRows(double shift = 0) {
    for (int i = 0; i < 400; ++i) {
      ages.push_back(40 + 10 * std::sin(i * 0.7) + 5 * std::cos(i * 1.3) + shift);
      doses.push_back(2e-3 + 5e-4 * std::cos(i * 0.4) + 2e-5 * (ages.back() - 40));
    }
    const double n = 400;
    for (std::size_t i = 0; i < ages.size(); ++i) {
      mean_age += ages[i] / n;
      mean_dose += doses[i] / n;
    }
    for (std::size_t i = 0; i < ages.size(); ++i) {
      const double a = ages[i] - mean_age;
      const double d = doses[i] - mean_dose;
      covariance.at(0, 0) += a * a / (n - 1);
      covariance.at(0, 1) += a * d / (n - 1);
      covariance.at(1, 1) += d * d / (n - 1);
    }
    covariance.at(1, 0) = covariance.at(0, 1);
  }
};

TEST(ImportMean, GivesTheRegionOfItsNoise) {
  const auto means = import_mean(
      {.values = {171.2, 70.4}, .n = 5000, .noise = VectorNoise{NoiseFamily::Gaussian, {0.4, 0.3}}, .columns = {"height", "weight"}});
  ASSERT_TRUE(means.ok()) << means.error().message();
  const auto region = mean_region(*means, {});
  ASSERT_TRUE(region.ok()) << region.error().message();
  EXPECT_NEAR(region->region->center[0], 171.2, 1e-12);
  EXPECT_NEAR(region->region->center[1], 70.4, 1e-12);
  EXPECT_NEAR(region->region->shape.at(0, 0), 0.16, 1e-12);
  EXPECT_NEAR(region->region->shape.at(1, 1), 0.09, 1e-12);
  EXPECT_NEAR(region->region->shape.at(0, 1), 0, 1e-12);
  EXPECT_NEAR(region->region->radius, std::sqrt(5.991464547107979), 1e-9);
  EXPECT_NEAR(region->region->volume, std::acos(-1) * 5.991464547107979 * 0.12, 1e-8);
}

TEST(ImportMean, KnowsCorrelatedNoise) {
  const Matrix noise{2, 2, {0.16, 0.06, 0.06, 0.09}};
  const auto means = import_mean({.values = {171.2, 70.4}, .n = 5000, .noise = noise});
  ASSERT_TRUE(means.ok()) << means.error().message();
  const auto region = mean_region(*means, {});
  EXPECT_EQ(region->basis.columns, (std::vector<std::string>{"column 1", "column 2"}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(region->region->shape.values[i], noise.values[i], 1e-12);
}

TEST(ImportMean, InvertsAPublishedMap) {
  // v = map m + noise of sd 0.1: the noise of m is map^-1.
  const Matrix map{2, 2, {2, 0, 1, 1}};
  const std::vector<double> m = {3, 5};
  const auto means =
      import_mean({.values = {2 * m[0], m[0] + m[1]}, .n = 100, .noise = VectorNoise{NoiseFamily::Gaussian, {0.1}}, .map = map});
  ASSERT_TRUE(means.ok()) << means.error().message();
  const auto region = mean_region(*means, {});
  EXPECT_NEAR(region->region->center[0], 3, 1e-12);
  EXPECT_NEAR(region->region->center[1], 5, 1e-12);
  EXPECT_NEAR(region->region->shape.at(0, 0), 0.01 * 0.25, 1e-14);
  EXPECT_NEAR(region->region->shape.at(0, 1), -0.01 * 0.25, 1e-14);
  EXPECT_NEAR(region->region->shape.at(1, 1), 0.01 * 1.25, 1e-14);
}

TEST(ImportMean, TakesOneCombination) {
  const Matrix map{1, 2, {1, -1}};
  const auto means =
      import_mean({.values = {1.5}, .n = 100, .noise = VectorNoise{NoiseFamily::Gaussian, {0.5}}, .columns = {"ldl", "hdl"}, .map = map});
  ASSERT_TRUE(means.ok()) << means.error().message();
  const auto test = test_mean(*means, {.null = {0}});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_NEAR(*test->test.statistic, 9, 1e-9);
}

TEST(ImportMean, TestsAMeanAsWithoutPrivacyWhereNoiseIsNegligible) {
  const PlainRows rows;
  const std::vector<double> null = {40.5, 2.05e-3};
  const auto means = import_mean({.values = {rows.mean_age, rows.mean_dose},
                                  .n = 400,
                                  .noise = VectorNoise{NoiseFamily::Gaussian, {1e-9, 1e-13}},
                                  .columns = {"age", "dose"}});
  const auto test = test_mean(*means, {.means = {.covariance = rows.covariance}, .null = null});
  ASSERT_TRUE(test.ok()) << test.error().message();
  // n (x - m)' S^-1 (x - m), by hand.
  const double a = rows.mean_age - null[0];
  const double d = rows.mean_dose - null[1];
  const Matrix& s = rows.covariance;
  const double determinant = s.at(0, 0) * s.at(1, 1) - s.at(0, 1) * s.at(0, 1);
  const double plain = 400 * (s.at(1, 1) * a * a - 2 * s.at(0, 1) * a * d + s.at(0, 0) * d * d) / determinant;
  EXPECT_NEAR(*test->test.statistic / plain, 1, 1e-6);
  EXPECT_NEAR(*test->test.p_value, std::exp(-plain / 2), 1e-6);
}

TEST(ImportMean, ComparesTwoAgenciesAsHotellingDoesWhereNoiseIsNegligible) {
  const PlainRows north;
  const PlainRows south(1.0);
  const auto imported_rows = [](const PlainRows& rows) {
    const auto means = import_mean({.values = {rows.mean_age, rows.mean_dose},
                                    .n = 400,
                                    .noise = VectorNoise{NoiseFamily::Gaussian, {1e-8, 1e-12}},
                                    .columns = {"age", "dose"},
                                    .lower = {0, 0},
                                    .upper = {100, 0.01},
                                    .covariance = rows.covariance});
    EXPECT_TRUE(means.ok()) << means.error().message();
    return std::get<MomentRelease>(*means);
  };
  const auto comparison = compare_two_means({imported_rows(north), imported_rows(south)});
  ASSERT_TRUE(comparison.ok()) << comparison.error().message();
  // Hotelling's T^2 with the pooled covariance.
  Matrix pooled = Matrix::zeros(2, 2);
  for (std::size_t i = 0; i < 4; ++i) pooled.values[i] = (north.covariance.values[i] + south.covariance.values[i]) / 2;
  const double a = north.mean_age - south.mean_age;
  const double d = north.mean_dose - south.mean_dose;
  const double determinant = pooled.at(0, 0) * pooled.at(1, 1) - pooled.at(0, 1) * pooled.at(0, 1);
  const double plain = 200 * (pooled.at(1, 1) * a * a - 2 * pooled.at(0, 1) * a * d + pooled.at(0, 0) * d * d) / determinant;
  EXPECT_NEAR(*comparison->test.statistic / plain, 1, 0.02);
  EXPECT_NEAR((*comparison->groups[0].mean)[0], north.mean_age, 1e-9);
  const auto release = imported_rows(north);
  const Matrix printed = mechanisms::covariance_of(release, 0)->matrix;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(printed.values[i] / (north.covariance.values[i] * 399 / 400), 1, 1e-3) << i;
}

TEST(ImportMean, TakesLaplaceNoiseWithBounds) {
  const auto means =
      import_mean({.values = {50}, .n = 1000, .noise = VectorNoise{NoiseFamily::Laplace, {0.2}}, .lower = {0}, .upper = {100}});
  ASSERT_TRUE(means.ok()) << means.error().message();
  const auto region = mean_region(*means, {});
  ASSERT_TRUE(region.ok()) << region.error().message();
  // The quantile of |Laplace| at 0.95 is log 20 = 2.996; the shape is in standard deviations.
  EXPECT_NEAR(region->region->radius * std::sqrt(region->region->shape.at(0, 0)) / 0.2, std::log(20.0), 0.05);
}

TEST(ImportMean, WritesAReleaseThatReadsBackAsItIs) {
  const testing::ScratchFolder folder;
  const auto both = import_mean(
      {.values = {171.2, 70.4}, .n = 5000, .noise = VectorNoise{NoiseFamily::Gaussian, {0.4, 0.3}}, .out = folder.path("q.json")});
  ASSERT_TRUE(both.ok()) << both.error().message();
  const auto query = mechanisms::read_release_as<QueryRelease>(folder.path("q.json"));
  ASSERT_TRUE(query.ok()) << query.error().message();
  EXPECT_FALSE(query->clipped);
  EXPECT_EQ(query->parts[0].sums, std::get<QueryRelease>(*both).parts[0].sums);
  EXPECT_EQ(query->header.guarantee, mechanisms::Guarantee::Unknown);
  const auto bounded = import_mean({.values = {171.2},
                                    .n = 5000,
                                    .noise = VectorNoise{NoiseFamily::Laplace, {0.4}},
                                    .lower = {100},
                                    .upper = {220},
                                    .out = folder.path("m.json")});
  ASSERT_TRUE(bounded.ok()) << bounded.error().message();
  EXPECT_EQ(mechanisms::read_release_as<MomentRelease>(folder.path("m.json"))->mechanism, mechanisms::MomentMechanism::Laplace);
}

TEST(ImportMean, RefusesWhatItCannotRepresent) {
  const VectorNoise noise{NoiseFamily::Gaussian, {0.4}};
  const VectorNoise laplace{NoiseFamily::Laplace, {0.4}};
  const auto refused = [](const MeanImport& means) { return import_mean(means).error().message(); };
  EXPECT_EQ(refused({.values = {1, 2}, .n = 10, .noise = laplace}),
            "noise is laplace, but must be gaussian where no bounds of the columns are given, or where a map is; give lower and upper, the "
            "bounds of each column, or see what the noise is before the map");
  EXPECT_EQ(
      refused({.values = {1, 2}, .n = 10, .noise = Matrix{2, 2, {1, 2, 2, 1}}}),
      "noise-covariance is a matrix of 2 x 2, but must be a symmetric positive definite matrix of 2 x 2; for example a file that holds "
      "[[0.16, 0], [0, 0.09]]");
  EXPECT_EQ(refused({.values = {1, 2}, .n = 10, .noise = noise, .map = Matrix{1, 2, {1, 1}}}),
            "map is a matrix of 1 x 2, but must have a row for each of the 2 values, and be square unless it has one row");
  EXPECT_EQ(import_mean({.values = {1, 2}, .n = 10, .noise = noise, .map = Matrix{2, 2, {1, 1, 1, 1}}}).error().name(), "map");
  EXPECT_EQ(refused({.values = {1, 2}, .n = 10, .noise = noise, .covariance = Matrix{2, 2, {1, 0, 0, 1}}}),
            "covariance is given without bounds, but needs lower and upper, the bounds of the columns, to serve tests of equal means; for "
            "`infer region` and `infer mean-test` give a public covariance there");
  EXPECT_EQ(
      import_mean({.values = {1, 2}, .n = 10, .noise = noise, .lower = {0}, .upper = {9}, .covariance = Matrix{2, 2, {1, 0.5, 0.1, 1}}})
          .error()
          .name(),
      "covariance");
  EXPECT_EQ(import_mean({.values = {1, 2}, .n = 10, .noise = noise, .columns = {"a"}}).error().name(), "columns");
  EXPECT_EQ(import_mean({.values = {1, 2}, .n = 10, .noise = noise, .columns = {"a", "a"}}).error().name(), "columns");
  EXPECT_EQ(import_mean({.values = {}, .n = 10, .noise = noise}).error().name(), "values");
  EXPECT_EQ(import_mean({.values = {1}, .n = 0, .noise = noise}).error().name(), "n");
  EXPECT_EQ(import_mean({.values = {1}, .n = 9, .noise = VectorNoise{NoiseFamily::Gaussian, {0}}}).error().name(), "noise scale");
  EXPECT_EQ(import_mean({.values = {1}, .n = 9, .noise = noise, .lower = {2}, .upper = {1}}).error().name(), "lower");
}

}  // namespace
}  // namespace tacet
