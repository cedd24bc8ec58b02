// Tests of means: against independent values of the blood tests of Adjusted, section 4, closed
// forms, and regions.
#include "tacet/inference/means/mean_hypothesis.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/inference/means/mean_region.h"
#include "tacet/numeric/normal.h"
#include "tacet/studies/levels/drawn_means.h"

namespace tacet::inference {
namespace {

using ::testing::HasSubstr;

const std::vector<double> kBlood = {1600, -160, -400, 840,  800, -40, -160, 400,  160, -175, -200, 0,   -400, 160, 1600, 280, 600, 0,
                                    840,  -175, 280,  1225, 700, -35, 800,  -200, 600, 700,  2500, -50, -40,  0,   0,    -35, -50, 100};
const std::vector<double> kEta = {10, 5, 10, 8.75, 12.5, 2.5};

/// Means of 50 people with noise of this deviation in each.
NoisyMean plain(double sigma) {
  NoisyMean mean{};
  mean.names = {"a", "b", "c", "d", "e", "f"};
  mean.estimate = kEta;
  mean.people = 50;
  mean.units = mean.draw_size = 6;
  mean.mix.assign(36, 0);
  for (std::size_t j = 0; j < 6; ++j) mean.mix[j * 7] = sigma;
  return mean;
}

MeanTestOptions blood(MeanAnalysis analysis) {
  return {.null = std::vector<double>(6, 0.0),
          .alternative = kEta,
          .analysis = analysis,
          .distribution = {.target = MeanTarget::Population, .covariance = kBlood}};
}

TEST(MeanTest, HasThePowerOfIndependentValues) {
  const NoisyMean mean = plain(18.371242345825944);
  EXPECT_NEAR(*test_mean(mean, blood(MeanAnalysis::Optimal))->power, 0.287009770456355, 1e-9);
  EXPECT_NEAR(*test_mean(mean, blood(MeanAnalysis::Naive))->power, 0.1277111614253681, 1e-9);
  EXPECT_NEAR(*test_mean(plain(23.78157017984197), blood(MeanAnalysis::Optimal))->power, 0.21686937855944255, 1e-9);
}

TEST(MeanTest, OnAWhitenedQueryIsTheAdjustedOptimalOne) {
  // Noise of covariance sigma_g^2 S/n is that of the whitened query: 1 + sigma_g^2 times the
  // sampling error in all.
  MeanTestOptions options = blood(MeanAnalysis::Optimal);
  const double sigma = 2.820903088031014;
  for (double& value : *options.distribution.covariance) value *= 1 + sigma * sigma;
  EXPECT_NEAR(*test_mean(plain(1e-9), options)->power, 0.3884501323064794, 1e-9);
}

TEST(MeanTest, DecidesByItsPValueAndSuperNaiveDecidesNothing) {
  const NoisyMean mean = plain(18.371242345825944);
  const MeanTest optimal = *test_mean(mean, blood(MeanAnalysis::Optimal));
  EXPECT_EQ(optimal.kind, MeanStatistic::LikelihoodRatio);
  EXPECT_NEAR(*optimal.p_value, numeric::normal_upper(*optimal.statistic), 1e-15);
  EXPECT_EQ(optimal.outcome, optimal.statistic >= optimal.critical ? Outcome::Reject : Outcome::Retain);
  const MeanTest naive = *test_mean(mean, blood(MeanAnalysis::SuperNaive));
  EXPECT_EQ(naive.outcome, Outcome::Inconclusive);
  ASSERT_TRUE(naive.level);
  EXPECT_GT(*naive.level, 0.3);
  EXPECT_THAT(*naive.reason, HasSubstr("it rejects a true null hypothesis with probability"));
  EXPECT_FALSE(naive.p_value);
}

TEST(MeanTest, OfLaplaceNoiseIsTheLikelihoodRatioEvenWhereItHasAtoms) {
  NoisyMean mean{};
  mean.names = {"a"};
  mean.estimate = {4};
  mean.people = 100;
  mean.family = UnitNoise::Laplace;
  mean.units = mean.draw_size = 1;
  mean.mix = {1};
  for (const double eta : {0.5, -0.5, 4.0}) {
    const MeanTest test = *test_mean(mean, {.null = {0}, .alternative = {{eta}}, .distribution = {.simulation = {.threads = 1}}});
    EXPECT_EQ(test.kind, MeanStatistic::LikelihoodRatio);
    // One variable: the ratio grows with x, so the best test rejects beyond log 10; half the
    // 0.05-tail of both sides.
    const double critical = std::log(10);
    const double shift = std::abs(eta);
    const double power = shift < critical ? 0.5 * std::exp(shift - critical) : 1 - 0.5 * std::exp(critical - shift);
    EXPECT_NEAR(*test.power, power, 0.01) << eta;
    EXPECT_EQ(test.outcome, eta > 0 ? Outcome::Reject : Outcome::Retain);
    EXPECT_NEAR(*test.p_value, eta > 0 ? 0.5 * std::exp(-4.0) : 1 - 0.5 * std::exp(-4.0), 0.003);
  }
}

TEST(MeanTest, OfKNormNoiseBeatsItsBestLinearStatistic) {
  NoisyMean mean{};
  mean.names = {"a", "b", "c"};
  mean.estimate = {0, 0, 0};
  mean.people = 100;
  mean.family = UnitNoise::KNorm;
  mean.units = mean.draw_size = 3;
  mean.mix = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const MeanTestOptions options{.null = {0, 0, 0}, .alternative = {{2, 2, 2}}, .distribution = {.simulation = {.threads = 1}}};
  const MeanTest ratio = *test_mean(mean, options);
  EXPECT_EQ(ratio.kind, MeanStatistic::LikelihoodRatio);
  mean.draw_size = 4;  // another number shares the draw, so that the density of these three is not known
  EXPECT_EQ(test_mean(mean, options)->kind, MeanStatistic::Linear);
  mean.draw_size = 3;
  const MeanDistribution law = *MeanDistribution::of(mean, {.simulation = {.threads = 1}, .towards = {{2, 2, 2}}});
  const double shift = std::sqrt(12 / law.covariance()[0]);
  EXPECT_GT(*ratio.power, law.linear_power(shift, law.linear_quantile(0.05)) - 0.005);
}

TEST(MeanTest, WithoutAnAlternativeRejectsWhatLiesOutsideTheRegion) {
  const NoisyMean mean = plain(3);
  const MeanRegion region = *mean_region(mean, {.confidence = 0.95});
  for (const double factor : {0.99, 1.01}) {
    std::vector<double> null = mean.estimate;
    null[2] += factor * region.radius * 3;  // noise alone: the shape is 9 times the identity
    const MeanTest test = *test_mean(mean, {.null = null});
    EXPECT_EQ(test.outcome, factor > 1 ? Outcome::Reject : Outcome::Retain);
    EXPECT_NEAR(*test.statistic, std::pow(factor * region.radius, 2), 1e-9);
    EXPECT_NEAR(*test.critical, region.radius * region.radius, 1e-9);
    EXPECT_NEAR(*test.p_value, 0.05, 0.01);
    EXPECT_EQ(test.df, 6);
    EXPECT_FALSE(test.power);
  }
}

TEST(MeanTest, RefusesWhatIsNoTest) {
  const NoisyMean mean = plain(1);
  const std::vector<double> zero(6, 0.0);
  EXPECT_EQ(test_mean(mean, {.null = {0, 0}}).error().name(), "null");
  EXPECT_EQ(test_mean(mean, {.null = zero, .alternative = {{1}}}).error().name(), "alternative");
  EXPECT_EQ(test_mean(mean, {.null = zero, .alternative = zero}).error().name(), "alternative");
  EXPECT_EQ(test_mean(mean, {.null = zero, .alpha = 0.7}).error().name(), "alpha");
  EXPECT_EQ(test_mean(mean, {.null = zero, .alternative = kEta, .analysis = MeanAnalysis::Naive}).error().name(), "analysis");
  EXPECT_EQ(named<MeanAnalysis>("analysis", "clever").error().message(), "analysis is clever, but must be optimal, naive or super-naive");
  NoisyMean nobody = mean;
  nobody.no_answer = "nobody is in this group";
  const MeanTest none = *test_mean(nobody, {.null = zero});
  EXPECT_EQ(none.outcome, Outcome::Inconclusive);
  EXPECT_EQ(none.reason, "nobody is in this group");
}

}  // namespace
}  // namespace tacet::inference
