// Planned power of a two-sample test: against the laws where they are right, and against what a
// test would do where they are not. Releases that were really made are in
// tests/service/plan_two_sample_test.cc.
#include "tacet/planning/equal_means_power.h"

#include <cmath>

#include <boost/math/distributions/chi_squared.hpp>
#include <gtest/gtest.h>

#include "tacet/inference/counts/chi2_power.h"

#include "support/promise.h"

namespace tacet::planning::equal_means_power_test {
namespace {

using mechanisms::GroupMoments;

/// Two groups of this many; two columns between 0 and 2 with means near 1, so that everything is in
/// half widths from the middle. Noise as the mean of a group and its second moments have it.
MeansQuestion question(double people, double mean_noise, double moment_noise, double difference, const std::string& family = "gaussian",
                       double count_noise = 0) {
  MeansQuestion asked{{}, {2, 2, {0.1, 0.02, 0.02, 0.08}}, {1, 1}, {difference, 0}, 0.05};
  asked.release.kind = mechanisms::MomentKind::Covariance;
  asked.release.mechanism = *named<mechanisms::MomentMechanism>("family", family);
  asked.release.columns = {{"a", 0, 2, 0.001, 1}, {"b", 0, 2, 0.001, 1}};
  const mechanisms::NoisyNumber sum{0, people * mean_noise};
  const mechanisms::NoisyNumber product{0, people * moment_noise};
  const GroupMoments part{{people, count_noise}, {sum, sum}, {product, product, product}};
  asked.release.parts = {part, part};
  return asked;
}

TEST(MeansPowerLimit, IsTheLevelWithoutADifferenceAndGrowsWithIt) {
  EXPECT_NEAR(*means_power_limit(question(1000, 0.01, 0.001, 0)), 0.05, 1e-9);
  EXPECT_LT(*means_power_limit(question(1000, 0.01, 0.001, 0.03)), *means_power_limit(question(1000, 0.01, 0.001, 0.05)));
  EXPECT_LT(*means_power_limit(question(1000, 0.02, 0.001, 0.03)), *means_power_limit(question(1000, 0.01, 0.001, 0.03)));
  EXPECT_NEAR(*means_power_limit(question(1000, 0.01, 0.001, 0.5)), 1, 1e-12);
}

TEST(MeansPowerLimit, KnowsThatANoisyNumberOfPeopleMovesMeansAwayFromTheCentre) {
  MeansQuestion asked = question(1000, 0.01, 0.001, 0.05, "gaussian", 20);
  EXPECT_NEAR(*means_power_limit(asked), *means_power_limit(question(1000, 0.01, 0.001, 0.05)), 0.01) << "means at the centre do not move";
  asked.mean = {1.5, 1.5};
  EXPECT_LT(*means_power_limit(asked) + 0.05, *means_power_limit(question(1000, 0.01, 0.001, 0.05)));
}

TEST(MeansPowerLimit, DoesNotDependOnUnits) {
  MeansQuestion grams = question(1000, 0.01, 0.001, 0.05);
  grams.covariance = {2, 2, {0.1e6, 0.02e3, 0.02e3, 0.08}};
  grams.mean[0] = 1000;
  grams.difference[0] = 50;
  grams.release.columns[0] = {"a", 0, 2000, 1, 1000};
  for (GroupMoments& part : grams.release.parts) part.sums[0].scale *= 1000;
  EXPECT_NEAR(*means_power_limit(grams), *means_power_limit(question(1000, 0.01, 0.001, 0.05)), 1e-9);
}

// Student's t test: 20 people in each group, means one standard deviation apart, level 0.05: power
// 0.8689528 (Cohen 1988, table 2.3.5: .87).
TEST(MeansPowerWithoutNoise, IsThatOfHotellingsTest) {
  MeansQuestion asked = question(20, 0.01, 0.001, 0.5);
  asked.release.columns.resize(1);
  for (GroupMoments& part : asked.release.parts) {
    part.sums.resize(1);
    part.products.resize(1);
  }
  asked.covariance = {1, 1, {0.25}};
  asked.mean = {1};
  asked.difference = {0.5};
  EXPECT_NEAR(*means_power_without_noise(asked), 0.8689528, 1e-6);
  asked.difference = {0};
  EXPECT_EQ(*means_power_without_noise(asked), 0.05);
  asked.difference = {0.5};
  asked.set_people({1e12, 1e12});
  EXPECT_EQ(*means_power_without_noise(asked), 1);
}

TEST(MeansPowerWithoutNoise, IsTheLimitForManyPeopleAndNothingForVeryFew) {
  EXPECT_NEAR(*means_power_without_noise(question(1e6, 0, 0, 0.0015)), *means_power_limit(question(1e6, 0, 0, 0.0015)), 1e-5);
  EXPECT_GT(*means_power_without_noise(question(3, 0, 0, 0.5)), 0.05);
  MeansQuestion few = question(2, 0, 0, 0.5);
  EXPECT_GT(*means_power_without_noise(few), 0.05);
  few.release.columns.resize(3, few.release.columns.front());
  few.covariance = {3, 3, {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
  few.mean = few.difference = {0.5, 0.5, 0.5};
  EXPECT_EQ(*means_power_without_noise(few), 0) << "four people and three columns";
}

MeansQuestion with_groups(MeansQuestion asked, std::size_t groups) {
  asked.release.parts.resize(groups, asked.release.parts.front());
  return asked;
}

// One of k groups of n differs by D: the statistic of the true means is n (1 - 1/k) D' S^-1 D,
// chi-square with d (k - 1) degrees of freedom.
TEST(MeansPowerWithoutNoise, OfSeveralGroupsIsTheLawForLargeN) {
  for (const std::size_t groups : {3U, 5U}) {
    const MeansQuestion asked = with_groups(question(2000, 0.01, 0.001, 0.03), groups);
    const double inverse = 0.08 / (0.1 * 0.08 - 0.02 * 0.02);  // of the covariance, first entry
    const double noncentrality = 2000 * (1 - 1 / static_cast<double>(groups)) * 0.03 * 0.03 * inverse;
    const auto df = 2 * static_cast<double>(groups - 1);
    const double critical = boost::math::quantile(boost::math::complement(boost::math::chi_squared(df), 0.05));
    EXPECT_NEAR(*means_power_without_noise(asked), inference::noncentral_upper(df, noncentrality, critical), 1e-9);
  }
}

TEST(MeansQuestion, HasAGroupThatDiffersAndAnAverageThatDoesNotMove) {
  const MeansQuestion asked = with_groups(question(100, 0, 0, 0.1), 4);
  EXPECT_DOUBLE_EQ(asked.offset(3) - asked.offset(0), 1);
  EXPECT_DOUBLE_EQ(asked.offset(0) + asked.offset(1) + asked.offset(2) + asked.offset(3), 0);
}

// 2000 tests of 199 draws: would catch a power that is off by 0.1. Where covariances are known
// well, the limit holds; 0.02 is what 199 draws and noise that is not normal lose.
TEST(MeansPower, AgreesWithTheLimitWhereCovariancesAreKnown) {
  test::declare_false_alarm("planned power of two-sample tests", 1e-9);
  const auto draws = static_cast<std::size_t>(2000 / test::coarseness());
  for (const MeansQuestion& asked :
       {question(5000, 0.005, 1e-4, 0.022), question(5000, 0.0035, 1e-4, 0.022, "laplace"),
        question(5000, 0.0025, 1e-4, 0.022, "k-norm+laplace"), question(5000, 0.005, 1e-4, 0.022, "gaussian", 2),
        with_groups(question(5000, 0.005, 1e-4, 0.024), 4)}) {
    const MeansPower power = *means_power(asked, {.draws = draws, .seed = test::suite_seed()});
    EXPECT_TRUE(power.limit > 0.3 && power.limit < 0.9) << power.limit;
    EXPECT_NEAR(power.power, power.limit, 0.02 + 3.4 / std::sqrt(static_cast<double>(draws))) << name(asked.release.mechanism);
  }
}

TEST(MeansPower, IsSmallerWhereNoiseHidesTheCovariance) {
  const MeansPower known = *means_power(question(5000, 0.005, 1e-4, 0.03), {.draws = 400, .seed = 1});
  const MeansPower hidden = *means_power(question(5000, 0.005, 0.2, 0.03), {.draws = 400, .seed = 1});
  EXPECT_LT(hidden.power + 0.03, known.power);  // a fixed seed
  EXPECT_EQ(hidden.limit, known.limit);
}

// The squares say how much the rows vary, and the product in which direction: noise in one is not
// noise in the other.
TEST(MeansPower, KnowsTheNoiseOfEachProduct) {
  const auto noisy = [](std::size_t product) {
    MeansQuestion asked = question(5000, 0.005, 1e-4, 0.03);
    for (GroupMoments& part : asked.release.parts) part.products[product].scale = 5000 * 0.3;
    return means_power(asked, {.draws = 400, .seed = 1})->power;
  };
  EXPECT_LT(noisy(0) + 0.03, noisy(1));  // a fixed seed
}

TEST(MeansPower, IsTheSameForEveryNumberOfThreads) {
  const MeansQuestion asked = question(200, 0.05, 0.05, 0.2, "k-norm");
  EXPECT_EQ(means_power(asked, {.draws = 64, .seed = 3, .threads = 1})->power,
            means_power(asked, {.draws = 64, .seed = 3, .threads = 3})->power);
}

TEST(MeansPower, OfGroupsThatNoiseLeavesEmptyIsThatOfNoTest) {
  const MeansQuestion asked = question(2, 0.1, 0.1, 0.5, "gaussian", 1000);
  EXPECT_LT(means_power(asked, {.draws = 200, .seed = 1})->power, 0.5);
}

TEST(MeansPower, RefusesWhatIsNoQuestion) {
  const auto refused = [](auto change) {
    MeansQuestion asked = question(1000, 0.01, 0.001, 0.1);
    change(asked);
    return means_power(asked, {.draws = 8}).error();
  };
  EXPECT_EQ(refused([](auto& q) { q.covariance.at(0, 1) = 5; }).message(),
            "covariance is not symmetric, but must be symmetric and positive definite");
  EXPECT_EQ(
      refused([](auto& q) { q.covariance.at(0, 1) = q.covariance.at(1, 0) = 0.2; }).message(),
      "covariance is not positive definite, but must be symmetric and positive definite; no rows vary so; is a correlation too strong, "
      "or one column made of others?");
  EXPECT_EQ(refused([](auto& q) { q.covariance.at(0, 0) = -1; }).name(), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.covariance.at(0, 0) = NAN; }).name(), "covariance");
  EXPECT_EQ(
      refused([](auto& q) { q.covariance.at(0, 0) = 1.5; }).message(),
      "covariance is a standard deviation of 1.22474 in a, but must be at most 0.998749; no column between 0 and 2 with a mean of 0.95 "
      "varies by more");
  EXPECT_EQ(refused([](auto& q) { q.covariance = {1, 4, q.covariance.values}; }).message(),
            "covariance is a matrix of 1 x 4, but must be a matrix of 2 by 2 numbers, one line for each column");
  EXPECT_EQ(refused([](auto& q) { q.difference.pop_back(); }).message(),
            "difference is 1 numbers, but must be one for each of the 2 columns");
  EXPECT_EQ(
      refused([](auto& q) { q.difference[1] = 3; }).message(),
      "difference is 3 about 1, but must keep all means between the bounds of b, 0 and 2; suppose a smaller difference, or declare wider "
      "bounds");
  EXPECT_EQ(refused([](auto& q) { q.mean[1] = INFINITY; }).name(), "mean");
  EXPECT_EQ(refused([](auto& q) { q.set_people({1000, 1}); }).name(), "n");
  EXPECT_EQ(refused([](auto& q) { q.alpha = 0; }).name(), "alpha");
  EXPECT_EQ(refused([](auto& q) { q.alpha = 1e-4; }).message(),
            "alpha is 0.0001, but must be at least 0.0005 where power is simulated; for example: alpha = 0.001");
  EXPECT_EQ(refused([](auto& q) { q.release.mechanism = mechanisms::MomentMechanism::Eigen; }).name(), "mechanism");
  EXPECT_EQ(refused([](auto& q) { q.release.parts.pop_back(); }).code(), Code::Internal);
}

}  // namespace
}  // namespace tacet::planning::equal_means_power_test
