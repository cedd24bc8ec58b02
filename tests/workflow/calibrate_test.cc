#include "tacet/workflow/privacy/calibrate.h"

#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

using ::testing::HasSubstr;

TEST(CalibrateGaussian, TakesEveryWayToSayHowPrivate) {
  EXPECT_EQ(calibrate_gaussian({.l2 = 1, .loss = Rho(0.125)})->sigma, 2);
  EXPECT_EQ(calibrate_gaussian({.l2 = 1, .loss = Mu(0.5)})->rule, GaussianRule::LeastDouble);
  const GaussianCalibration approximate = *calibrate_gaussian({.l2 = 1, .loss = EpsilonDelta(1, 1e-6)});
  EXPECT_NEAR(approximate.sigma, 4.2246788893, 1e-9);
  EXPECT_NEAR(approximate.mu, 1 / approximate.sigma, 1e-15);
  EXPECT_EQ(approximate.rule, GaussianRule::PrivacyCurve);
  EXPECT_EQ(theorem_of(approximate.rule), "Balle & Wang (2018), Theorem 8");
}

TEST(CalibrateGaussian, RoundsASensitivityUp) {
  const GaussianCalibration tenth = *calibrate_gaussian({.l2 = "0.1", .loss = Mu(1)});
  EXPECT_TRUE(mpq_class(tenth.l2) >= mpq_class(1, 10));
  EXPECT_TRUE(mpq_class(tenth.sigma) >= mpq_class(1, 10)) << "a sigma below one tenth would not be 1-GDP";
  EXPECT_EQ(calibrate_gaussian({.l2 = "0.30000000000000000001", .loss = Mu(1)})->l2, 0.30000000000000004);
}

TEST(CalibrateGaussian, RefusesAPureEpsilon) {
  const auto refused = calibrate_gaussian({.l2 = 1, .loss = Epsilon(1)});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("no Gaussian noise is epsilon-DP"));
  EXPECT_EQ(calibrate_box({.box = {1, 1}, .loss = Epsilon(1)}).error().code(), Code::Unsupported);
  EXPECT_EQ(calibrate_gaussian({.l2 = 0, .loss = Mu(1)}).error().message(),
            "l2 is 0, but must be a finite number greater than 0, between 1e-50 and 1e50; for example: l2 = 1");
}

TEST(CalibrateBox, SharesTheBudgetOverTheSides) {
  const BoxCalibration least = *calibrate_box({.box = {1, 4}, .loss = Mu(0.5)});
  EXPECT_NEAR(least.total_variance, 100, 1e-10) << "Aggregation, Theorem 5: ((1 + 4)/mu)^2";
  EXPECT_EQ(least.rule, GaussianRule::LeastVariance);
  const BoxCalibration even = *calibrate_box({.box = {1, 4}, .loss = Mu(0.5), .weights = std::vector<Digits>{1, 1}});
  EXPECT_GT(even.total_variance, least.total_variance);
  EXPECT_EQ(even.rule, GaussianRule::GivenWeights);
  const auto refused = calibrate_box({.box = {1, 4}, .loss = Mu(0.5), .weights = std::vector<Digits>{1}});
  EXPECT_THAT(refused.error().message(), HasSubstr("must be the same in every list"));
  EXPECT_FALSE(calibrate_box({.box = {}, .loss = Mu(0.5)}).ok());
}

TEST(CalibrateLaplace, NeedsARuleForMuAlone) {
  const LaplaceCalibration pure = *calibrate_laplace({.l1 = 2, .loss = Epsilon(0.5)});
  EXPECT_EQ(pure.scale, 4);
  EXPECT_FALSE(pure.rule);
  EXPECT_EQ(calibrate_laplace({.l1 = 2, .loss = Mu(1)})->rule, LaplaceMuRule::Universal);
  EXPECT_NEAR(calibrate_laplace({.l1 = 2, .loss = Mu(1), .rule = LaplaceMuRule::Table, .neighbours = Relation::ReplaceOne})->scale,
              1.358905360971675, 1e-9);
  EXPECT_FALSE(calibrate_laplace({.l1 = 2, .loss = Mu(1), .rule = LaplaceMuRule::Conjecture12})->proven);
  EXPECT_EQ(calibrate_laplace({.l1 = 2, .loss = Epsilon(1), .rule = LaplaceMuRule::Table}).error().message(),
            "rule is table, but goes with mu only; leave rule out");
  EXPECT_EQ(calibrate_laplace({.l1 = 2, .loss = EpsilonDelta(1, 1e-6)}).error().message(),
            "privacy is epsilon and delta, but must be epsilon alone, or mu; for example: epsilon = 1");
  EXPECT_EQ(calibrate_laplace({.l1 = 2, .loss = Rho(1)}).error().value(), "rho");
}

}  // namespace
}  // namespace tacet
