// Shrunk means: values of mpmath, and the loss of simulated releases, which is smaller for any true
// means and is what Stein's estimate says on average.
#include "tacet/inference/means/shrunk_means.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/numeric/insecure_stream.h"

#include "support/promise.h"

namespace tacet::inference::shrunk_means_test {
namespace {

using ::testing::HasSubstr;

/// Means with the noise of a square mix.
NoisyMean means_of(std::vector<double> estimate, std::vector<double> mix) {
  NoisyMean mean{};
  mean.units = estimate.size();
  mean.draw_size = estimate.size();
  mean.names.assign(estimate.size(), "column");
  mean.people = 1000;
  mean.family = UnitNoise::Gaussian;
  mean.mix = std::move(mix);
  mean.estimate = std::move(estimate);
  return mean;
}

/// A Cholesky factor of ((4, 1, 0, 0), (1, 3, 0, 0), (0, 0, 2, 1/2), (0, 0, 1/2, 1)).
const std::vector<double> kMix = {
    2, 0, 0, 0, 0.5, std::sqrt(2.75), 0, 0, 0, 0, std::sqrt(2.0), 0, 0, 0, 0.5 / std::sqrt(2.0), std::sqrt(0.875)};
const std::vector<double> kTarget = {9, 9, 9, 9};

TEST(ShrunkMeans, AgreeWithIndependentValues) {
  const NoisyMean mean = means_of({10, 12, 9, 8.5}, kMix);
  const ShrunkMeans target = *shrink_means(mean, {.towards = ShrinkTowards::Target, .target = kTarget});
  EXPECT_NEAR(target.factor, 0.39130434782608696, 1e-13);
  EXPECT_NEAR(target.cost, 2.7826086956521739, 1e-12);
  EXPECT_EQ(target.cost_bound, 4);
  const std::vector<double> to_target = {9.391304347826087, 10.173913043478261, 9, 8.8043478260869565};
  const ShrunkMeans common = *shrink_means(mean, {});
  const std::vector<double> to_common = {9.79155672823219, 11.142480211081794, 9.1160949868073879, 8.7783641160949868};
  EXPECT_NEAR(common.factor, 0.67546174142480211, 1e-13);
  EXPECT_NEAR(common.cost, 3.6754617414248021, 1e-12);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(target.values[j], to_target[j], 1e-12);
    EXPECT_NEAR(common.values[j], to_common[j], 1e-12);
  }
}

TEST(ShrunkMeans, StopAtTheTarget) {
  const ShrunkMeans near = *shrink_means(means_of({9.1, 9.2, 9, 8.9}, kMix), {.towards = ShrinkTowards::Target, .target = kTarget});
  EXPECT_EQ(near.factor, 0);
  EXPECT_EQ(near.values, kTarget);
  EXPECT_NEAR(near.cost, -3.9749350649350651, 1e-12);
}

TEST(ShrunkMeans, RefuseWhatIsNotProven) {
  const auto refused = [](const NoisyMean& mean, const MeanShrinkage& shrinkage = {}) {
    return shrink_means(mean, shrinkage).error().message();
  };
  NoisyMean laplace = means_of({1, 2, 3, 4}, kMix);
  laplace.family = UnitNoise::Laplace;
  EXPECT_EQ(refused(laplace),
            "shrink is common, but is proven for Gaussian noise only, and this release has laplace noise; leave shrink out");
  NoisyMean private_people = means_of({1, 2, 3, 4}, kMix);
  private_people.people_sd = 3;
  EXPECT_THAT(refused(private_people), HasSubstr("needs a public number of people"));
  EXPECT_THAT(refused(means_of({1, 2, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1})), HasSubstr("needs at least 4 means, and this release has 3"));
  EXPECT_THAT(refused(means_of({1, 2}, {1, 0, 0, 1}), {.towards = ShrinkTowards::Target, .target = {0, 0}}),
              HasSubstr("needs at least 3 means"));
  const NoisyMean four = means_of({1, 2, 3, 4}, kMix);
  EXPECT_THAT(refused(four, {.towards = ShrinkTowards::Target, .target = {0, 0}}), HasSubstr("a number for each of the 4 means"));
  EXPECT_THAT(refused(four, {.towards = ShrinkTowards::Target, .target = {0, 0, 0, HUGE_VAL}}), HasSubstr("finite"));
  EXPECT_EQ(refused(four, {.target = {0, 0, 0, 0}}), "target is 4 numbers, but goes with shrink = target");
  EXPECT_TRUE(shrink_means(means_of({1, 2, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}), {.towards = ShrinkTowards::Target, .target = {0, 0, 0}}).ok());
}

/// e' C^-1 e for the mix above: e = mix z.
double loss_of(const std::vector<double>& values, const std::vector<double>& truth) {
  std::vector<double> z(4);
  double loss = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    z[i] = values[i] - truth[i];
    for (std::size_t j = 0; j < i; ++j) z[i] -= kMix[i * 4 + j] * z[j];
    z[i] /= kMix[i * 4 + i];
    loss += z[i] * z[i];
  }
  return loss;
}

struct Losses {
  double mean, standard_error, bias, bias_error;  // bias: of the loss less Stein's estimate
};
Losses simulated(const std::vector<double>& truth, const MeanShrinkage& shrinkage, double noise, std::uint64_t stream_number) {
  numeric::InsecureStream stream(test::suite_seed(), stream_number);
  const auto trials = static_cast<int>(40'000 / test::coarseness());
  std::vector<double> z(4);
  double sum = 0, squares = 0, difference = 0, differences = 0;
  for (int trial = 0; trial < trials; ++trial) {
    stream.fill_normal(z);
    std::vector<double> estimate = truth;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) estimate[i] += noise * kMix[i * 4 + j] * z[j];
    }
    const ShrunkMeans shrunk = *shrink_means(means_of(estimate, kMix), shrinkage);
    const double loss = loss_of(shrunk.values, truth);
    sum += loss;
    squares += loss * loss;
    difference += loss - shrunk.cost;
    differences += (loss - shrunk.cost) * (loss - shrunk.cost);
  }
  const auto n = static_cast<double>(trials);
  const double mean = sum / n;
  const double bias = difference / n;
  return {mean, std::sqrt((squares / n - mean * mean) / n), bias, std::sqrt((differences / n - bias * bias) / n)};
}

// Means of 40,000 losses at seven standard errors. Near the target the loss is less by more than a
// third, far away it is nearly that of the noise, and never more. Noise a tenth larger than said is
// seen.
TEST(ShrunkMeans, HaveLessLossThanTheReleasedOnesForAnyTruth) {
  test::declare_false_alarm("losses of shrunk means", 1e-10);
  const std::vector<std::vector<double>> truths = {{9, 9, 9, 9}, {10, 8, 9.5, 9}, {30, -20, 9, 100}};
  const MeanShrinkage target{.towards = ShrinkTowards::Target, .target = kTarget};
  std::uint64_t number = 40;
  for (const std::vector<double>& truth : truths) {
    for (const MeanShrinkage& shrinkage : {target, MeanShrinkage{}}) {
      const Losses found = simulated(truth, shrinkage, 1, ++number);
      EXPECT_LT(found.mean, 4 + 7 * found.standard_error);
      EXPECT_NEAR(found.bias, 0, 7 * found.bias_error) << "Stein's estimate has no bias";
    }
  }
  EXPECT_LT(simulated(truths[0], target, 1, 50).mean, 4 * 0.65);
  const Losses planted = simulated(truths[2], target, 1.1, 51);
  EXPECT_GT(std::abs(planted.bias), 7 * planted.bias_error) << "the planted fault";
}

}  // namespace
}  // namespace tacet::inference::shrunk_means_test
