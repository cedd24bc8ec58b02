// Planned power of a two-sample test: against the law for large n where that is right, and against what a test would do where it is not.
#include "tacet/planning/two_sample_power.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::planning {
namespace {

using Family = inference::MeanNoise::Family;

TwoSampleQuestion question(double people, double noise, double covariance_noise, double difference) {
  const SampleDesign arm{people, {Family::Gaussian, {noise, noise}, 2}, covariance_noise};
  return {{0.1, 0.02, 0.02, 0.08}, {difference, 0}, {arm, arm}, 0.05};
}

TEST(TwoSampleLimit, IsTheLevelWithoutADifferenceAndGrowsWithIt) {
  EXPECT_NEAR(*two_sample_limit(question(1000, 0.01, 0.001, 0)), 0.05, 1e-9);
  EXPECT_LT(*two_sample_limit(question(1000, 0.01, 0.001, 0.03)), *two_sample_limit(question(1000, 0.01, 0.001, 0.05)));
  EXPECT_LT(*two_sample_limit(question(1000, 0.02, 0.001, 0.03)), *two_sample_limit(question(1000, 0.01, 0.001, 0.03)));
  EXPECT_NEAR(*two_sample_limit(question(1000, 0.01, 0.001, 100)), 1, 1e-12);
}

// 2000 tests of 199 draws: would catch a power that is off by 0.1. Where covariances are known well, the limit holds; 0.02 is what 199 draws lose.
TEST(TwoSamplePower, AgreesWithTheLimitWhereCovariancesAreKnown) {
  test::declare_false_alarm("planned power of two-sample tests", 1e-9);
  const auto draws = static_cast<std::size_t>(2000 / test::coarseness());
  const TwoSamplePower power = *two_sample_power(question(5000, 0.005, 1e-4, 0.022), {.draws = draws, .seed = test::suite_seed()});
  EXPECT_TRUE(power.limit > 0.3 && power.limit < 0.9) << power.limit;
  EXPECT_NEAR(power.power, power.limit, 0.02 + 3.4 / std::sqrt(static_cast<double>(draws)));
}

TEST(TwoSamplePower, IsSmallerWhereNoiseHidesTheCovariance) {
  const TwoSamplePower known = *two_sample_power(question(5000, 0.005, 1e-4, 0.03), {.draws = 400, .seed = 1});
  const TwoSamplePower hidden = *two_sample_power(question(5000, 0.005, 0.2, 0.03), {.draws = 400, .seed = 1});
  EXPECT_LT(hidden.power + 0.03, known.power);  // a fixed seed
  EXPECT_EQ(hidden.limit, known.limit);
}

TEST(TwoSamplePower, RefusesWhatIsNoQuestion) {
  const auto refused = [](auto change) {
    TwoSampleQuestion asked = question(1000, 0.01, 0.001, 0.1);
    change(asked);
    return two_sample_power(asked, {.draws = 8}).error().name();
  };
  EXPECT_EQ(refused([](auto& q) { q.covariance[1] = 5; }), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.covariance[0] = -1; }), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.covariance[0] = 2; }), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.covariance.pop_back(); }), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.groups[1].people = 1; }), "n");
  EXPECT_EQ(refused([](auto& q) { q.alpha = 0; }), "alpha");
}

}  // namespace
}  // namespace tacet::planning
