// Denoised tables whose noisy total is poor: the level over everything that the total leaves open.
#include "tacet/inference/counts/gof_unknown_total.h"

#include <cmath>

#include <gtest/gtest.h>

#include "inference/drawn_release.h"
#include "support/promise.h"

namespace tacet::inference::gof_unknown_total_test {
namespace {

using mechanisms::CountRelease;
using mechanisms::NoiseDistribution;

/// Ages of the Koreans, as in Lee's simulations, roughly; eighteen cells.
std::vector<double> ages() {
  std::vector<double> p;
  for (const double x : {0.075, 0.092, 0.125, 0.135, 0.16, 0.165, 0.135, 0.072, 0.041}) p.insert(p.end(), {0.45 * x, 0.55 * x});
  return p;
}

struct Case {
  std::vector<double> truth;
  double n;
  NoiseDistribution noise;
  DenoiseOptions denoise;
};

double rejections(const Case& c, const std::vector<double>& null, std::uint64_t trials, std::uint64_t& rejected) {
  rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    numeric::InsecureStream stream(test::suite_seed(), 5000 + trial);
    const CountRelease release = draw_release(stream, c.truth, c.n, {c.truth.size()}, c.noise, false);
    const auto test = test_goodness_of_fit(
        release, null,
        {.alpha = 0.05, .simulation = {.draws = 199, .seed = trial, .threads = 1}, .denoise = c.denoise, .with_power = false});
    rejected += test->outcome == Outcome::Reject ? 1 : 0;
  }
  return static_cast<double>(rejected) / static_cast<double>(trials);
}

// Lee's settings with p = 18, mu = 0.1 and N = 1000 and less: noise of scale 14.1 (Gaussian) and
// 15.5 (Laplace). The level is proven. Red above an exact binomial bound at 0.05: 1500 trials see
// 0.09.
TEST(GofUnknownTotal, KeepsItsLevelWhereTheNoisyTotalIsPoor) {
  const std::vector<double> p = ages();
  const std::vector<Case> cases = {
      {p, 1000, gaussian(14.1), {Shrinkage::TowardsMean, Projection::Nonnegative}},
      {p, 1000, laplace(15.5), {Shrinkage::None, Projection::Nonnegative}},
      {p, 300, gaussian(14.1), {Shrinkage::PositivePart, Projection::None}},
      {p, 60, laplace(15.5), {Shrinkage::None, Projection::Nonnegative}},
  };
  test::declare_false_alarm("level with an unknown total", 1e-10 * static_cast<double>(cases.size()));
  const auto trials = static_cast<std::uint64_t>(1500 / test::coarseness());
  for (const Case& c : cases) {
    std::uint64_t rejected = 0;
    const double level = rejections(c, p, trials, rejected);
    EXPECT_GT(test::binomial_upper(trials, 0.05, rejected), 1e-10) << c.n << ": " << level;
  }
}

// A valid test that finds something: half of the people of four cells are in other ones. Measured
// 0.99; red if it is below one half.
TEST(GofUnknownTotal, FindsALargeDeviation) {
  test::declare_false_alarm("power with an unknown total", 1e-10);
  const std::vector<double> p = ages();
  std::vector<double> other = p;
  for (std::size_t i = 4; i < 8; ++i) {
    other[i + 6] += 0.8 * other[i];
    other[i] *= 0.2;
  }
  const auto trials = static_cast<std::uint64_t>(300 / test::coarseness());
  std::uint64_t rejected = 0;
  const double power = rejections({other, 1000, gaussian(14.1), {Shrinkage::TowardsMean, Projection::Nonnegative}}, p, trials, rejected);
  EXPECT_GT(test::binomial_lower(trials, 0.5, rejected), 1e-10) << power;
}

TEST(PossibleTotals, AreThoseThatTheNoiseOfTheSumLeaves) {
  const CountRelease normal = release_of({400, 350, 250}, {3}, std::nullopt, gaussian(10));
  const PossibleTotals found = possible_totals(normal, 0.05);
  EXPECT_EQ(found.low, std::ceil(1000 - 1.959963984540054 * 10 * std::sqrt(3.0)));
  EXPECT_EQ(found.high, std::floor(1000 + 1.959963984540054 * 10 * std::sqrt(3.0)));
  EXPECT_EQ(possible_totals(release_of({3, -2, 1}, {3}, std::nullopt, gaussian(10)), 0.05).low, 1);
  // One Laplace cell more or less has tails e^-q.
  const PossibleTotals heavy = possible_totals(release_of({400, 350, 250}, {3}, std::nullopt, laplace(10)), 0.001);
  EXPECT_LT(heavy.low, 1000 - 3.2905267314918945 * std::sqrt(600.0)) << "wider than the normal quantile";
  const PossibleTotals none = possible_totals(release_of({-400, -350}, {2}, std::nullopt, gaussian(1)), 0.05);
  EXPECT_GT(none.low, none.high);
  const PossibleTotals exact = possible_totals(release_of({400, 350}, {2}, std::nullopt, sum_zero(10)), 0.05);
  EXPECT_EQ(exact.low, 750);
  EXPECT_EQ(exact.high, 750);
}

TEST(GofUnknownTotal, SaysWhatItDid) {
  const auto test = test_goodness_of_fit(release_of({30, 10, 8, 15}, {4}, std::nullopt, laplace(6)), std::vector<double>(4, 0.25),
                                         {.alpha = 0.05, .simulation = {.draws = 999}, .denoise = {.project = Projection::Nonnegative}});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_TRUE(test->p_value);
  EXPECT_EQ(test->method, GofMethod::Bootstrap);
  EXPECT_EQ(test->null_distribution->substr(0, 46), "999 simulated tables for each of 5 sizes from ");
  EXPECT_EQ(test_goodness_of_fit(release_of({30, 10, 8, 15}, {4}, std::nullopt, laplace(6)), std::vector<double>(4, 0.25),
                                 {.alpha = 0.05, .simulation = {.draws = 19}, .denoise = {.project = Projection::Nonnegative}})
                .error()
                .name(),
            "draws")
      << "a part of the level is spent on the sizes";
}

}  // namespace
}  // namespace tacet::inference::gof_unknown_total_test
