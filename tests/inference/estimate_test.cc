#include "tacet/inference/estimates/estimate.h"

#include <cmath>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/numeric/noise_quantile.h"

#include "support/law.h"

namespace tacet::inference::estimate_test {
namespace {

using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::NoiseStructure;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

CountRelease table(std::vector<double> values, NoiseFamily family, double scale, std::optional<double> grid, std::optional<double> n = {},
                   NoiseStructure structure = NoiseStructure::Independent) {
  CountRelease release{};
  release.shape = {values.size()};
  release.values = std::move(values);
  release.noise = {family, scale, structure};
  release.grid = grid;
  release.n = n;
  release.header.guarantee = mechanisms::Guarantee::Exact;
  return release;
}

test::Family law_of(NoiseFamily family) { return family == NoiseFamily::Gaussian ? test::Family::Gaussian : test::Family::Laplace; }

struct Lattice {
  NoiseFamily family;
  double ticks;  // the scale, in steps of the grid
  std::size_t cells;
  double confidence;
  bool simultaneous;
};

/// P[all `cells` cells of round(ticks Z) lie within q steps], from the closed form in MPFR.
double coverage(const Lattice& at, Int128 q) {
  const double one = test::probability(law_of(at.family), at.ticks, -q, q);
  return at.simultaneous ? std::pow(one, static_cast<double>(at.cells)) : one;
}

std::vector<Lattice> lattices() {
  std::vector<Lattice> all;
  for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
    for (const double ticks : {1.0, 2.5, 16.0, 1024.0, 1999.9}) {
      for (const std::size_t cells : {1U, 2U, 12U, 1000U}) {
        for (const double confidence : {0.5, 0.9, 0.95, 0.999}) {
          all.push_back({family, ticks, cells, confidence, true});
          all.push_back({family, ticks, cells, confidence, false});
        }
      }
    }
  }
  return all;
}

TEST(Margin, IsTheLeastOneOnTheLatticeThatKeepsTheLevelOfTheRoundedNoise) {
  constexpr double kGrid = 0.125;
  for (const Lattice& at : lattices()) {
    SCOPED_TRACE(fmt::format("{} with {} ticks, {} cells, {}, {}", name(at.family), at.ticks, at.cells, at.confidence,
                             at.simultaneous ? "simultaneous" : "marginal"));
    const auto result =
        estimate(table(std::vector<double>(at.cells, 50.0), at.family, at.ticks * kGrid, kGrid),
                 {.confidence = at.confidence, .intervals = at.simultaneous ? IntervalKind::Simultaneous : IntervalKind::Marginal});
    ASSERT_TRUE(result.ok());
    const double steps = result->margin / kGrid;
    ASSERT_EQ(steps, std::floor(steps));
    const auto q = static_cast<Int128>(steps);
    EXPECT_GE(coverage(at, q), at.confidence * (1 - 1e-12));
    // One step less would be too little, unless the level is met within the slack for rounding.
    EXPECT_TRUE(q == 0 || coverage(at, q - 1) < at.confidence + 1e-6);
  }
}

TEST(Margin, WithoutAGridIsTheQuantileOfTheNoiseItself) {
  const auto gaussian = estimate(table({1, 2, 3}, NoiseFamily::Gaussian, 2, {}), {.intervals = IntervalKind::Marginal});
  EXPECT_NEAR(gaussian->margin, 2 * 1.959963984540054, 1e-6);
  const auto laplace = estimate(table({1, 2, 3}, NoiseFamily::Laplace, 2, {}), {.intervals = IntervalKind::Marginal});
  EXPECT_NEAR(laplace->margin, -2 * std::log(0.05), 1e-6);
}

TEST(Margin, OfSumZeroNoiseIsItsQuantileAndOneStepOfTheGrid) {
  const auto result = estimate(table({4, 3, 2, 1}, NoiseFamily::Gaussian, 3, 0.001, 10, NoiseStructure::SumZero), {});
  EXPECT_NEAR(result->margin, 3 * numeric::max_quantile_sum_zero(4, 0.05) + 0.001, 1e-6);
  const auto marginal =
      estimate(table({4, 3, 2, 1}, NoiseFamily::Gaussian, 3, 0.001, 10, NoiseStructure::SumZero), {.intervals = IntervalKind::Marginal});
  EXPECT_NEAR(marginal->margin, 3 * std::sqrt(0.75) * 1.959963984540054 + 0.001, 1e-6);
}

TEST(Intervals, OfOneCellThatKeepsItsTotalAreTheTotal) {
  const auto result = estimate(table({10}, NoiseFamily::Gaussian, 3, 0.001, 10, NoiseStructure::SumZero), {});
  EXPECT_THAT(result->lower, ElementsAre(10));
  EXPECT_THAT(result->upper, ElementsAre(10));
}

TEST(Intervals, AreNarrowedToTheIntegersFromZeroToTheTotal) {
  const auto result = estimate(table({-50, 0.4, 5.2, 99, 400}, NoiseFamily::Laplace, 1, {}, 100), {.intervals = IntervalKind::Marginal});
  // The margin is 2.9957.
  EXPECT_THAT(result->lower, ElementsAre(0, 0, 3, 97, 100));
  EXPECT_THAT(result->upper, ElementsAre(0, 3, 8, 100, 100));
}

TEST(Intervals, WithoutAPublicTotalHaveNoUpperEndButTheirOwn) {
  const auto result = estimate(table({400, -50}, NoiseFamily::Laplace, 1, {}), {.intervals = IntervalKind::Marginal});
  EXPECT_THAT(result->lower, ElementsAre(398, 0));
  EXPECT_THAT(result->upper, ElementsAre(402, 0));
}

TEST(Intervals, ThatHoldNoIntegerKeepTheNearestOne) {
  const auto result = estimate(table({3.5, 20.4, 30.3, 9.6, -7.4}, NoiseFamily::Laplace, 0.01, {}, 40), {});
  EXPECT_THAT(result->lower, ElementsAre(4, 20, 30, 10, 0));
  EXPECT_THAT(result->upper, ElementsAre(4, 20, 30, 10, 0));
}

TEST(Intervals, NarrowingLosesNoTrueCount) {
  std::mt19937_64 random(test::suite_seed());
  std::uniform_int_distribution<int> truth(0, 30);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20'000; ++trial) {
    const int x = truth(random);
    const double value = std::ldexp(std::round(std::ldexp(x + 3 * normal(random), 8)), -8);
    const auto result = estimate(table({value}, NoiseFamily::Gaussian, 3, 0x1p-8, 30), {});
    const bool before = std::abs(value - x) <= result->margin;
    const bool after = result->lower[0] <= x && x <= result->upper[0];
    // An interval that lies beyond all possible counts keeps the nearest of them, which may be the
    // true one.
    const bool at_an_end = x == 0 || x == 30;
    EXPECT_TRUE(before == after || (at_an_end && after)) << value << " for " << x;
  }
}

// The truth lies exactly at the end of the interval, where one rounding too many would lose it.
TEST(Intervals, KeepATrueCountAtTheirVeryEnd) {
  for (const double x : {0.0, 7.0, 1e6, 123456789.0}) {
    for (const double grid : {0x1p-40, 0x1p-20, 0x1p-3}) {
      const double margin = estimate(table({x}, NoiseFamily::Gaussian, 1024 * grid, grid), {})->margin;
      for (const double value : {x - margin, x + margin}) {
        const auto result = estimate(table({value}, NoiseFamily::Gaussian, 1024 * grid, grid, 1e9), {});
        EXPECT_LE(result->lower[0], x) << grid;
        EXPECT_GE(result->upper[0], x) << grid;
      }
    }
  }
}

TEST(Intervals, NeverShowANegativeZero) {
  const auto result = estimate(table({-0.4, 0.2}, NoiseFamily::Laplace, 0.2, {}, 5), {});
  for (const double end : result->lower) EXPECT_FALSE(std::signbit(end));
  for (const double end : result->upper) EXPECT_FALSE(std::signbit(end));
}

TEST(Estimate, ProjectsAsAsked) {
  const CountRelease release = table({-2, 4, 5}, NoiseFamily::Gaussian, 1, {}, 6);
  EXPECT_THAT(estimate(release, {})->values, ElementsAre(-2, 4, 5));
  EXPECT_THAT(estimate(release, {.project = Projection::Nonnegative})->values, ElementsAre(0, 4, 5));
  EXPECT_THAT(estimate(release, {.project = Projection::Simplex})->values, ElementsAre(0, 2.5, 3.5));
}

TEST(Estimate, IntervalsDoNotDependOnTheProjection) {
  const CountRelease release = table({-2, 4, 5}, NoiseFamily::Gaussian, 1, {}, 6);
  const auto plain = estimate(release, {});
  for (const Projection projection : {Projection::Nonnegative, Projection::Simplex}) {
    const auto projected = estimate(release, {.project = projection});
    EXPECT_EQ(projected->lower, plain->lower);
    EXPECT_EQ(projected->upper, plain->upper);
  }
}

TEST(Estimate, CostIsTheExpectedSquaredErrorOfTheUnprojectedTable) {
  EXPECT_DOUBLE_EQ(estimate(table({1, 2, 3}, NoiseFamily::Gaussian, 2, {}), {})->cost, 12);
  EXPECT_DOUBLE_EQ(estimate(table({1, 2, 3}, NoiseFamily::Laplace, 2, {}), {})->cost, 24);
  EXPECT_DOUBLE_EQ(estimate(table({1, 2, 3}, NoiseFamily::Gaussian, 2, {}, 6, NoiseStructure::SumZero), {})->cost, 8);
  EXPECT_EQ(estimate(table({1}, NoiseFamily::Gaussian, 2, {}), {})->cost_is, CostMeaning::Exact);
  EXPECT_EQ(estimate(table({1}, NoiseFamily::Gaussian, 2, {}), {.project = Projection::Nonnegative})->cost_is, CostMeaning::UpperBound);
}

TEST(Estimate, SimplexNeedsThePublicTotal) {
  const auto refused = estimate(table({1, 2}, NoiseFamily::Gaussian, 2, {}), {.project = Projection::Simplex});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().name(), "project");
  EXPECT_THAT(refused.error().remedy(), HasSubstr("nonnegative"));
}

TEST(Estimate, RefusesConfidencesOutsideItsDomain) {
  for (const double confidence : {0.0, 0.4999, 1.0, 1 - 1e-10, -1.0, 95.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto refused = estimate(table({1}, NoiseFamily::Gaussian, 2, {}), {.confidence = confidence});
    ASSERT_FALSE(refused.ok()) << confidence;
    EXPECT_EQ(refused.error().name(), "confidence");
  }
}

TEST(Estimate, OfTheLargestNumbersThatAFileMayHoldIsFinite) {
  const auto result = estimate(table({1e100, -1e100}, NoiseFamily::Gaussian, 1e100, 1e-100, 5), {.confidence = 1 - 1e-9});
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(std::isfinite(result->margin));
  EXPECT_TRUE(std::isfinite(result->cost));
}

TEST(Estimate, OfAShrunkTableKeepsTheIntervalsOfTheReleasedOne) {
  const CountRelease release = table({40, 3, 8, 22, 55, 9}, NoiseFamily::Gaussian, 5, {}, 137);
  const auto plain = estimate(release, {});
  for (const Shrinkage shrinkage : {Shrinkage::TowardsZero, Shrinkage::TowardsMean, Shrinkage::PositivePart, Shrinkage::RankDeficient}) {
    const auto shrunk = estimate(release, {.shrink = shrinkage});
    ASSERT_TRUE(shrunk.ok());
    EXPECT_NE(shrunk->values, plain->values);
    EXPECT_EQ(shrunk->lower, plain->lower);
    EXPECT_EQ(shrunk->upper, plain->upper);
    EXPECT_EQ(shrunk->margin, plain->margin);
  }
}

TEST(Estimate, SaysWhatItsCostIs) {
  const CountRelease release = table({40, 3, 8, 22, 55, 9}, NoiseFamily::Gaussian, 5, {}, 137);
  const auto plain = estimate(release, {});
  EXPECT_EQ(name(plain->cost_is), "exact");
  const auto projected = estimate(release, {.project = Projection::Simplex});
  EXPECT_EQ(name(projected->cost_is), "upper bound");
  EXPECT_EQ(projected->cost, plain->cost);
  EXPECT_NE(*projected->unbiased_cost, plain->cost);
  const auto shrunk = estimate(release, {.shrink = Shrinkage::TowardsMean});
  EXPECT_EQ(name(shrunk->cost_is), "unbiased estimate");
  EXPECT_EQ(shrunk->cost, *shrunk->unbiased_cost);
  EXPECT_EQ(shrunk->cost_bound, plain->cost);
  // Lee, Lemma B.1 with the observed distance in place of its expectation: 6 s^2 - 9 s^4/|y - m|^2,
  // |y - m|^2 = 2134 5/6.
  EXPECT_NEAR(shrunk->cost, 150 - 9 * 625 / (2134 + 5.0 / 6), 1e-9);
}

TEST(Intervals, AreNarrowedToDeclaredBounds) {
  const auto result = estimate(table({-50, 5.2, 99}, NoiseFamily::Laplace, 1, {}, 100),
                               {.project = Projection::Bounds, .bounds = Bounds{3.5, 98}, .intervals = IntervalKind::Marginal});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result->values, ElementsAre(3.5, 5.2, 98));
  EXPECT_THAT(result->lower, ElementsAre(4, 4, 97));
  EXPECT_THAT(result->upper, ElementsAre(4, 8, 98));
}

TEST(Estimate, RefusesBoundsThatNoCountKeeps) {
  for (const Bounds& bounds : {Bounds{0.2, 0.8}, Bounds{-9, -1}, Bounds{101, 200}}) {
    const auto refused = estimate(table({1, 2}, NoiseFamily::Gaussian, 2, {}, 100), {.project = Projection::Bounds, .bounds = bounds});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().name(), "bounds");
    EXPECT_THAT(refused.error().rule(), HasSubstr("a whole number that a count can be"));
  }
}

}  // namespace
}  // namespace tacet::inference::estimate_test
