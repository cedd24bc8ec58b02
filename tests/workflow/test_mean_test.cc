#include "tacet/workflow/infer/test_mean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workflow/moment_releases.h"

namespace tacet {
namespace {

using inference::MeanStatistic;
using inference::Outcome;
using test::covariance_release;
using test::people_at;
using ::testing::HasSubstr;

const MeanRelease kRelease = covariance_release({people_at(50, 60)});
const MeanChoice kPopulation{.covariance = Matrix{2, 2, {100, 0, 0, 100}}};

TEST(TestMean, RetainsTheMeansAndRejectsOthers) {
  const auto same = test_mean(kRelease, {.null = {50, 60}});
  ASSERT_TRUE(same.ok()) << same.error().message();
  EXPECT_EQ(same->test.outcome, Outcome::Retain);
  EXPECT_EQ(same->test.kind, MeanStatistic::Quadratic);
  EXPECT_EQ(same->test.df, 2);
  EXPECT_FALSE(same->test.power) << "there is no alternative";
  EXPECT_EQ(test_mean(kRelease, {.null = {45, 60}})->test.outcome, Outcome::Reject);
}

TEST(TestMean, AgainstOneAlternativeIsTheLikelihoodRatioAndHasAPower) {
  const auto near = test_mean(kRelease, {.means = kPopulation, .null = {50, 60}, .alternative = {{51, 60}}});
  ASSERT_TRUE(near.ok()) << near.error().message();
  EXPECT_EQ(near->test.kind, MeanStatistic::LikelihoodRatio);
  EXPECT_EQ(near->basis.target, MeanTarget::Population);
  // The error of a mean has the variance 100/1000 + 0.3^2.
  EXPECT_NEAR(*near->test.power, 0.7419, 0.0001);
  EXPECT_EQ(near->asked.alpha, 0.05);
}

TEST(TestMean, OfTheSuperNaiveAnalysisDecidesNothing) {
  const auto naive =
      test_mean(kRelease, {.means = kPopulation, .null = {50, 60}, .alternative = {{51, 60}}, .analysis = MeanAnalysis::SuperNaive});
  ASSERT_TRUE(naive.ok()) << naive.error().message();
  EXPECT_EQ(naive->test.outcome, Outcome::Inconclusive);
  EXPECT_GT(*naive->test.level, 0.05);
  EXPECT_FALSE(naive->test.p_value || naive->test.power);
  EXPECT_THAT(naive->test.reason.value_or(""), HasSubstr("use the optimal analysis"));
}

TEST(TestMean, RefusesBadInputWithItsName) {
  EXPECT_EQ(test_mean(kRelease, {.null = {1}}).error().message(),
            "null is 1 numbers, but must be 2 numbers, one for each mean of the release (ldl, hdl)");
  EXPECT_EQ(test_mean(kRelease, {.null = {1, 2}, .alpha = 0}).error().message(),
            "alpha is 0, but must be at least 1e-9 and at most 0.5; for example: alpha = 0.05");
  EXPECT_EQ(test_mean(kRelease, {.null = {1, 2}, .analysis = MeanAnalysis::Naive}).error().message(),
            "analysis is naive, but must be optimal here: the others are about sampling error and one alternative; give an alternative and "
            "a covariance, and ask about the population");
}

}  // namespace
}  // namespace tacet
