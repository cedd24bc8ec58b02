#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "tacet/inference/estimate.h"

#include "support/promise.h"

namespace tacet::inference {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Karush, Kuhn & Tucker: x is the nearest point of {x >= 0, sum x = total} to y exactly when, for one multiplier t,
/// x_i > 0 implies y_i - x_i = t, and x_i = 0 implies y_i <= t.
void expect_nearest(const std::vector<double>& y, double total, const std::string& where) {
  const std::vector<double> x = project_onto_simplex(y, total);
  ASSERT_EQ(x.size(), y.size());
  double size = total;
  for (const double value : y) size = std::max(size, std::abs(value));
  const double slack = 1e-12 * (size + 1) * static_cast<double>(y.size());
  EXPECT_NEAR(sum(x), total, slack) << where;
  double least = HUGE_VAL;
  double greatest = -HUGE_VAL;
  double at_zero = -HUGE_VAL;
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_GE(x[i], 0) << where;
    if (x[i] > 0) {
      least = std::min(least, y[i] - x[i]);
      greatest = std::max(greatest, y[i] - x[i]);
    } else {
      at_zero = std::max(at_zero, y[i]);
    }
  }
  if (greatest == -HUGE_VAL) return;  // total is 0: all coordinates are 0, and any large t serves
  EXPECT_LE(greatest - least, slack) << where;
  EXPECT_LE(at_zero, least + slack) << where;
}

TEST(ProjectOntoSimplex, MeetsTheConditionsOfANearestPointOnRandomTables) {
  std::mt19937_64 random(test::suite_seed());
  std::normal_distribution<double> normal;
  for (const std::size_t cells : {1U, 2U, 3U, 12U, 100U, 5000U}) {
    for (const double total : {0.0, 1.0, 1000.0, 1e9}) {
      for (const double noise : {1e-3, 1.0, 100.0, 1e8}) {
        std::vector<double> y(cells);
        for (double& value : y) value = total / static_cast<double>(cells) + noise * normal(random);
        expect_nearest(y, total, std::to_string(cells) + " cells, total " + std::to_string(total) + ", noise " + std::to_string(noise));
      }
    }
  }
}

TEST(ProjectOntoSimplex, MeetsTheConditionsWithTiesZerosAndOneLargeCell) {
  expect_nearest({0, 0, 0}, 9, "zeros");
  expect_nearest({5, 5, 5, 5}, 2, "ties");
  expect_nearest({-3, -3, -7}, 1, "all negative");
  expect_nearest({1e6, -1, -1, 0}, 10, "one large cell");
  expect_nearest({3, 2, 1}, 6, "already there");
}

TEST(ProjectOntoSimplex, LeavesATableThatIsThereAlone) {
  const std::vector<double> there = {3, 0, 2, 1};
  const std::vector<double> x = project_onto_simplex(there, 6);
  for (std::size_t i = 0; i < there.size(); ++i) EXPECT_NEAR(x[i], there[i], 1e-15);
}

TEST(ProjectOntoSimplex, TotalZeroIsTheEmptyTable) {
  for (const double value : project_onto_simplex({4, -2, 4}, 0)) EXPECT_EQ(value, 0);
}

TEST(ProjectOntoSimplex, NeverIncreasesTheErrorOfATableWithThatTotal) {
  std::mt19937_64 random(test::suite_seed() + 1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 1000; ++trial) {
    const std::vector<double> truth = {0, 0, 3, 50, 947};
    std::vector<double> y = truth;
    for (double& value : y) value += 20 * normal(random);
    const std::vector<double> x = project_onto_simplex(y, 1000);
    double before = 0;
    double after = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      before += (y[i] - truth[i]) * (y[i] - truth[i]);
      after += (x[i] - truth[i]) * (x[i] - truth[i]);
    }
    EXPECT_LE(after, before * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace tacet::inference
