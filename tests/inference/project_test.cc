#include "tacet/inference/estimates/project.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::inference {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Karush, Kuhn & Tucker: x is the nearest point of {x >= 0, sum x = total} to y exactly when, for
/// one multiplier t, x_i > 0 implies y_i - x_i = t, and x_i = 0 implies y_i <= t.
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

// A small total under large values and a large offset: what is left must still be right relative to
// the total.
TEST(ProjectOntoSimplex, MeetsTheConditionsRelativeToTheTotalWhateverTheOffset) {
  std::mt19937_64 random(test::suite_seed() + 2);
  for (const double offset : {-1e12, -1e3, 0.0, 1e9, 1e12}) {
    for (const double total : {1.0, 64.0, 1e6}) {
      std::vector<double> y(500);
      // Multiples of 2^-10, so that adding the offset changes nothing but the offset.
      for (double& value : y) value = std::ldexp(static_cast<double>(random() % 1'000'000), -10);
      const std::vector<double> x = project_onto_simplex(y, total);
      std::vector<double> moved = y;
      for (double& value : moved) value += offset;
      EXPECT_EQ(project_onto_simplex(moved, total), x) << offset << " " << total;
      EXPECT_NEAR(sum(x), total, 1e-13 * total) << offset;
    }
  }
}

/// Cells that the passes drop one at a time: each lies below the mean excess of those above it by
/// more than all of them together.
std::vector<double> stubborn(std::size_t cells, double total) {
  std::vector<double> y = {0, -total / 2};
  double sum_so_far = -total / 2;
  double below = 1e-13 * total;
  while (y.size() < cells) {
    const auto count = static_cast<double>(y.size());
    y.push_back((sum_so_far - total) / count - below);
    sum_so_far += y.back();
    below *= count + 2;
  }
  return y;
}

TEST(ProjectOntoSimplex, MeetsTheConditionsWhereThePassesAreManyAndTheRestIsSorted) {
  for (const std::size_t cells : {4U, 10U, 14U, 15U, 16U}) {
    const std::vector<double> y = stubborn(cells, 10);
    expect_nearest(y, 10, "stubborn");
    std::vector<double> backwards(y.rbegin(), y.rend());
    expect_nearest(backwards, 10, "stubborn, backwards");
  }
}

TEST(ProjectOntoSimplex, OfExtremesStaysFiniteAndKeepsTheTotal) {
  for (const double total : {1e-300, 1.0, 9e15, 1e100}) {
    for (const std::vector<double>& y :
         {std::vector<double>{1e100, -1e100, 0}, {-1e100, -1e100}, {5e-324, 0, 1e-310}, {1e100, 1e100, 1e100}}) {
      const std::vector<double> x = project_onto_simplex(y, total);
      EXPECT_NEAR(sum(x) / total, 1, 1e-14) << total;
      for (const double value : x) EXPECT_GE(value, 0);
    }
  }
}

TEST(ProjectOntoBounds, IsTheNearestTableWithin) {
  const std::vector<double> y = {-5, 0, 3, 7, 1e100};
  EXPECT_EQ(project_onto_bounds(y, {0, 6}), (std::vector<double>{0, 0, 3, 6, 6}));
  EXPECT_EQ(project_onto_bounds(y, {0, HUGE_VAL}), (std::vector<double>{0, 0, 3, 7, 1e100}));
  EXPECT_EQ(project_onto_bounds(y, {2, 2}), (std::vector<double>(5, 2)));
}

TEST(Project, HasOneNameForEachWhichReadsBack) {
  for (const std::string shown : {"none", "nonnegative", "simplex", "bounds"}) EXPECT_EQ(name(*named<Projection>("project", shown)), shown);
  EXPECT_EQ(named<Projection>("project", "Simplex").error().message(),
            "project is Simplex, but must be none, nonnegative, simplex or bounds");
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
