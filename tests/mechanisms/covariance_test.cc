#include "tacet/mechanisms/covariance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "mechanisms/moments_of_rows.h"
#include "support/eigenvalues.h"

namespace tacet::mechanisms::covariance_test {
namespace {

/// Three columns within [-1, 1], the first two correlated, all of different spread and off their
/// centres.
std::vector<std::vector<double>> some_rows(int count, unsigned seed = 9) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto inside = [](double x) { return std::clamp(x, -1.0, 1.0); };
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < count; ++i) {
    const double a = normal(random);
    rows.push_back({inside(0.2 + 0.2 * a), inside(-0.1 + 0.1 * a + 0.05 * normal(random)), inside(0.4 * normal(random))});
  }
  return rows;
}

std::vector<double> draws(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> out(count);
  for (double& draw : out) draw = normal(random);
  return out;
}

/// Of the correlations, since rounding of eigenvalues goes with the largest.
double least_eigenvalue(const Covariance& covariance) {
  const std::size_t d = covariance.matrix.rows;
  test::Matrix correlation(d, std::vector<double>(d));
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < d; ++k) {
      correlation[j][k] =
          covariance.matrix.values[j * d + k] / std::sqrt(covariance.matrix.values[j * (d + 1)] * covariance.matrix.values[k * (d + 1)]);
    }
  }
  const std::vector<double> values = test::eigenvalues(correlation);
  return *std::min_element(values.begin(), values.end());
}

TEST(ProjectWithFloor, SatisfiesTheConditionsOfTheNearestPoint) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> values(1 + random() % 8);
    for (double& value : values) value = normal(random) * 3;
    const double floor = 0.1 + 0.2 * static_cast<double>(random() % 4);
    const double sum = floor * static_cast<double>(values.size()) + std::abs(normal(random));
    const std::vector<double> point = project_with_floor(values, floor, sum);
    ASSERT_NEAR(std::accumulate(point.begin(), point.end(), 0.0), sum, 1e-9);
    // Karush-Kuhn-Tucker: values above the floor moved by the same shift, the others by no less.
    double shift = -HUGE_VAL;
    for (std::size_t j = 0; j < values.size(); ++j) {
      ASSERT_GE(point[j], floor);
      if (point[j] > floor + 1e-9) shift = values[j] - point[j];
    }
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (point[j] > floor + 1e-9) {
        ASSERT_NEAR(values[j] - point[j], shift, 1e-9);
      } else {
        ASSERT_LE(values[j] - point[j], shift + 1e-9);
      }
    }
  }
}

TEST(ProjectWithFloor, WithTooSmallASumEveryCoordinateIsTheFloor) {
  EXPECT_EQ(project_with_floor({3, -1}, 1, 0.5), (std::vector<double>{1, 1}));
}

TEST(NearestCovariance, LeavesWhatIsOneAlone) {
  const std::vector<double> matrix = {2, 0.5, 0.5, 1};
  const Covariance same = nearest_covariance({2, 2, matrix}, 0.1);
  EXPECT_EQ(same.matrix.values, matrix);
  EXPECT_EQ(same.raised, 0);
}

TEST(NearestCovariance, RaisesEigenvaluesAndKeepsTheTrace) {
  const std::vector<double> matrix = {1, 2, 2, 1};  // eigenvalues 3 and -1
  const Covariance raised = nearest_covariance({2, 2, matrix}, 0.25);
  EXPECT_EQ(raised.raised, 1);
  EXPECT_NEAR(raised.matrix.values[0] + raised.matrix.values[3], 2, 1e-12);
  EXPECT_NEAR(raised.matrix.values[0] * raised.matrix.values[3] - raised.matrix.values[1] * raised.matrix.values[2], 0.25 * 1.75, 1e-12);
}

TEST(CovarianceOf, IsThatOfTheRowsWhateverTheUnitsWhenNoiseIsNegligible) {
  const auto rows = some_rows(2000);
  for (const std::vector<double>& units : {std::vector<double>{1, 1, 1}, {1e-3, 1e5, 1}, {1e-6, 1e11, 1}}) {
    const Covariance covariance = *covariance_of(test::moments_of_rows(rows, units, 1e-7), 0);
    const std::vector<double> plain = test::covariance_of_rows(rows, units);
    for (std::size_t at = 0; at < plain.size(); ++at)
      EXPECT_NEAR(covariance.matrix.values[at] / plain[at], 1, 1e-6) << at << " " << units[0];
  }
}

TEST(CovarianceOf, IsThatOfTheRowsWhenTheNoiseOfColumnsIsFarApart) {
  // --goal least-squares: the noise of a product is proportional to the root of what one person
  // changes it by.
  const auto rows = some_rows(2000);
  for (const std::vector<double>& units : {std::vector<double>{1e-3, 1e6, 1}, {1e-6, 1e9, 1}}) {
    MomentRelease release = test::moments_of_rows(rows, units, 1);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = j; k < 3; ++k) release.parts[0].products[release.product(j, k)].scale = 1e-17 * std::sqrt(units[j] * units[k]);
    }
    const Covariance covariance = *covariance_of(release, 0);
    const std::vector<double> plain = test::covariance_of_rows(rows, units);
    for (std::size_t at = 0; at < plain.size(); ++at)
      EXPECT_NEAR(covariance.matrix.values[at] / plain[at], 1, 1e-6) << at << " " << units[0];
  }
}

TEST(CovarianceOf, MovesNoVarianceByMoreThanItsNoise) {
  // As --for two-sample shares the loss: covariances have more noise than variances, which alone
  // could make all eigenvalues alike.
  const auto rows = some_rows(2000);
  const std::vector<double> units = {1e-3, 1e5, 1};
  const std::vector<double> plain = test::covariance_of_rows(rows, units);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<double> noise_draws = draws(3, seed);
    MomentRelease release = test::moments_of_rows(rows, units, 1);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = j + 1; k < 3; ++k) {
        NoisyNumber& product = release.parts[0].products[release.product(j, k)];
        product.scale *= 200;
        product.value += noise_draws[j + k - 1] * product.scale;
      }
    }
    const Covariance covariance = *covariance_of(release, 0);
    for (std::size_t j = 0; j < 3; ++j) {
      const double noise = 4 * units[j] * units[j] / 2000;
      EXPECT_NEAR(covariance.matrix.at(j, j), plain[j * 4], noise * (1 + 1e-9)) << seed << " " << j;
    }
    EXPECT_GT(least_eigenvalue(covariance), 0) << seed;
  }
}

TEST(CovarianceOf, FollowsAChangeOfUnitsWhateverTheNoise) {
  const auto rows = some_rows(200);
  for (const double noise : {0.01, 3.0, 30.0, 1000.0}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const std::vector<double> noise_draws = draws(9, seed);
      const Covariance before = *covariance_of(test::moments_of_rows(rows, {1, 1, 1}, noise, noise_draws), 0);
      for (std::size_t changed = 0; changed < 3; ++changed) {
        std::vector<double> units = {1, 1, 1};
        units[changed] = 1000;
        const Covariance after = *covariance_of(test::moments_of_rows(rows, units, noise, noise_draws), 0);
        const double size = *std::max_element(before.matrix.values.begin(), before.matrix.values.end());
        for (std::size_t at = 0; at < 9; ++at) {
          EXPECT_NEAR(after.matrix.values[at] / (units[at / 3] * units[at % 3]), before.matrix.values[at], 1e-9 * size)
              << noise << " " << changed;
        }
        EXPECT_EQ(after.raised, before.raised);
      }
    }
  }
}

TEST(CovarianceOf, HasNoVarianceThatTheBoundsForbidAndIsPositiveDefinite) {
  const auto rows = some_rows(50);
  const std::vector<double> units = {1e-3, 1e5, 1};
  bool capped = false;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Covariance covariance = *covariance_of(test::moments_of_rows(rows, units, 100, draws(9, seed)), 0);
    for (std::size_t j = 0; j < 3; ++j) {
      const double most = 4 * units[j] * units[j];  // the square of half the width
      EXPECT_GT(covariance.matrix.values[j * 4], 0);
      EXPECT_LE(covariance.matrix.values[j * 4], most * (1 + 1e-12));
      capped = capped || covariance.matrix.values[j * 4] > most * (1 - 1e-12);
    }
    EXPECT_GT(least_eigenvalue(covariance), 0);
  }
  EXPECT_TRUE(capped) << "noise of this size must meet the bounds";
}

TEST(CovarianceOf, WhatItRaisesIsSmallBesideItsNoise) {
  // Nobody varies at all: whatever is printed is below the noise of an entry, or noise itself.
  const std::vector<std::vector<double>> rows(100, {0, 0, 0});
  const Covariance covariance = *covariance_of(test::moments_of_rows(rows, {1e-3, 1e5, 1}, 1, {0, 0, 0, -1, 0, 0, -1, 0, -1}), 0);
  EXPECT_EQ(covariance.raised, 3);
  EXPECT_NEAR(covariance.matrix.values[0] / (0.1 * 4e-6 / 100), 1, 1e-9);
  EXPECT_NEAR(covariance.matrix.values[4] / (0.1 * 4e10 / 100), 1, 1e-9);
}

TEST(CovarianceOf, AColumnThatIsAllNoiseLeavesTheOthersAlone) {
  // As --goal least-squares does with units that are far apart: the first column's noise is far
  // beyond its bounds, the others have hardly any.
  const auto rows = some_rows(2000);
  const MomentRelease release = test::moments_of_rows(rows, {1, 1, 1}, 1e-2);
  const auto spoil = [](NoisyNumber& number, double factor) {
    number.scale *= std::abs(factor);
    number.value += 2 * (factor > 0 ? number.scale : -number.scale);
  };
  for (const double sign : {-1.0, 1.0}) {
    MomentRelease spoiled = release;
    for (std::size_t k = 0; k < 3; ++k) spoil(spoiled.parts[0].products[k], sign * (k == 0 ? 1e8 : 1e4));
    const Covariance covariance = *covariance_of(spoiled, 0);
    const std::vector<double> plain = test::covariance_of_rows(rows, {1, 1, 1});
    EXPECT_NEAR(covariance.matrix.values[4] / plain[4], 1, 0.01);
    EXPECT_NEAR(covariance.matrix.values[8] / plain[8], 1, 0.01);
    EXPECT_LE(covariance.matrix.values[0], 4 * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace tacet::mechanisms::covariance_test
