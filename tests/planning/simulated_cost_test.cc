#include "tacet/planning/simulated_cost.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::planning::simulated_cost_test {
namespace {

using inference::Projection;
using inference::Shrinkage;
using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

const std::vector<double> kTruth = {40, 3, 0, 12, 7, 0, 25};
constexpr NoiseDistribution kGaussian{NoiseFamily::Gaussian, 4, NoiseStructure::Independent};
constexpr NoiseDistribution kSumZero{NoiseFamily::Gaussian, 4, NoiseStructure::SumZero};
constexpr NoiseDistribution kLaplace{NoiseFamily::Laplace, 4, NoiseStructure::Independent};

TEST(SimulateCost, OfNoPostProcessingIsTheCostOfTheNoise) {
  for (const NoiseDistribution& law : {kGaussian, kSumZero, kLaplace}) {
    const auto simulated = simulate_cost(kTruth, law, {}, {1000, 1});
    ASSERT_TRUE(simulated.ok());
    EXPECT_NEAR(simulated->cost, inference::noise_cost(law, kTruth.size()), 1e-9 * simulated->cost);
    EXPECT_LT(simulated->standard_error, 1e-9 * simulated->cost);
  }
}

// A cell at 0 costs half its variance once it is truncated there, by symmetry. Would catch a scale
// that is wrong by two per cent. The rate of false alarms is a normal approximation with a margin:
// seven standard errors have a normal probability of 2.6e-12, which a skewness g of the trials
// multiplies by about exp(g 7^3/(6 sqrt(90000))) (Cramer 1938). g is below 10 for these sums of six
// squares of truncated Laplace values (a square of one has 6.6), so by less than 7; three laws make
// 6e-11, and 1e-9 is declared.
TEST(SimulateCost, DrawsNoiseWithTheVarianceOfItsLaw) {
  test::declare_false_alarm("noise of the simulator", 1e-9);
  const std::vector<double> empty(6, 0.0);
  for (const NoiseDistribution& law : {kGaussian, kSumZero, kLaplace}) {
    const auto folded = simulate_cost(empty, law, {.project = Projection::Nonnegative}, {100'000, test::suite_seed()});
    EXPECT_NEAR(folded->cost, inference::noise_cost(law, empty.size()) / 2, 7 * folded->standard_error);
    EXPECT_LT(folded->standard_error, 0.005 * folded->cost);
  }
}

TEST(SimulateCost, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const inference::DenoiseOptions options{.shrink = Shrinkage::RankDeficient, .project = Projection::Simplex};
  const auto first = simulate_cost(kTruth, kGaussian, options, {500, 3});
  EXPECT_EQ(simulate_cost(kTruth, kGaussian, options, {500, 3})->cost, first->cost);
  EXPECT_NE(simulate_cost(kTruth, kGaussian, options, {500, 4})->cost, first->cost);
}

TEST(SimulateCost, KnowingTheCostBeforeTheProjectionChangesTheErrorNotTheAnswer) {
  test::declare_false_alarm("two controls", 1e-9);  // 2.6e-12 with the margin of the test above
  const auto plain = simulate_cost(kTruth, kSumZero, {.project = Projection::Simplex}, {40'000, 11});
  const auto known =
      simulate_cost(kTruth, kSumZero, {.project = Projection::Simplex}, {40'000, 12}, inference::noise_cost(kSumZero, kTruth.size()));
  EXPECT_NEAR(plain->cost, known->cost, 7 * std::hypot(plain->standard_error, known->standard_error));
}

TEST(SimulateCost, RefusesTooFewAndTooManyTrialsAndWhatCannotBeShrunk) {
  for (const std::size_t trials : {std::size_t{0}, std::size_t{19}, std::size_t{10'000'001}}) {
    EXPECT_EQ(simulate_cost(kTruth, kGaussian, {}, {trials, 1}).error().name(), "trials");
  }
  EXPECT_EQ(simulate_cost(kTruth, kLaplace, {.shrink = Shrinkage::TowardsMean}, {100, 1}).error().name(), "shrink");
  EXPECT_EQ(simulate_cost(kTruth, kGaussian, {.project = Projection::Bounds}, {100, 1}).error().name(), "bounds");
}

}  // namespace
}  // namespace tacet::planning::simulated_cost_test
