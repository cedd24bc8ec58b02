// Plans of means: by hand, in order, and against what a release of the same design then says.
#include "tacet/planning/mean_query_plan.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tacet/inference/means/mean_hypothesis.h"
#include "tacet/inference/means/mean_region.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/numeric/normal.h"
#include "tacet/planning/clip.h"

namespace tacet::planning::mean_query_plan_test {
namespace {

const MeanPlan kPlan{.covariance = {2, 2, {400, 100, 100, 225}}, .mu = 0.5, .ranges = {400, 150}};
const std::vector<double> kEta = {2, 1};

TEST(MeanPlan, OfOneColumnIsByHand) {
  const MeanPlan one{.covariance = {1, 1, {4}}, .mu = 2, .ranges = {10}};
  // Bounded: noise of deviation 10/(2 n), sampling error of 2/sqrt(n).
  const double deviation = std::sqrt(std::pow(10.0 / 200, 2) + 4.0 / 100);
  EXPECT_NEAR(*mean_test_power(one, MeanQuery::Bounded, {0.5}, 100, 0.05), numeric::normal_lower(0.5 / deviation - 1.6448536269514722),
              1e-10);
  EXPECT_NEAR(*mean_log_volume(one, MeanQuery::Bounded, 100, 0.95, true), std::log(2 * 1.959963984540054 * deviation), 1e-9);
  EXPECT_NEAR(*mean_log_volume(one, MeanQuery::Bounded, 100, 0.95, false), std::log(2 * 1.959963984540054 * 0.05), 1e-9);
}

TEST(MeanPlan, OfOneCoordinateIsTheSameWhitenedOrScaled) {
  const MeanPlan one{.covariance = {1, 1, {4}}, .mu = 2};
  EXPECT_NEAR(mean_noise(one, MeanQuery::Whitened, 1000)->at(0, 0) / mean_noise(one, MeanQuery::Scaled, 1000)->at(0, 0), 1, 1e-9);
}

TEST(MeanPlan, IsWhatTheReleaseOfThatDesignSays) {
  constexpr double kPeople = 2000;
  // The file that release query --covariance would write, up to its noise.
  mechanisms::QueryRelease release{};
  release.header.statement = R"({"by": "covariance"})";
  release.columns = {"a", "b"};
  release.centre = {0, 0};
  // A square root of the inverse: by Cholesky here, which has the same products.
  const double c = std::sqrt(225 - 100 * 100 / 400.0);
  release.map = {2, 2, {1 / 20.0, 0, -5 / 20.0 / c, 1 / c}};
  release.radius = plan_clip(std::vector<double>{1, 1}, 2000)->isotropic_clip;
  release.n = kPeople;
  release.n_is_public = true;
  release.scale = 2 * release.radius / kPlan.mu;
  release.sums = {0, 0};
  const inference::NoisyMean mean = *inference::noisy_mean(release);
  const inference::MeanDistributionOptions law{.target = inference::MeanTarget::Population};
  const auto test = inference::test_mean(mean, {.null = {0, 0}, .alternative = kEta, .distribution = law});
  EXPECT_NEAR(*test->power, *mean_test_power(kPlan, MeanQuery::Whitened, kEta, kPeople, 0.05), 0.01)
      << "but for the allowance for clipping";
  const auto region = inference::mean_region(mean, {.distribution = law});
  const double planned = *mean_log_volume(kPlan, MeanQuery::Whitened, kPeople, 0.95, true);
  EXPECT_NEAR(region->log_volume, planned, 0.05);
  EXPECT_GE(region->log_volume, planned);
}

TEST(MeanPlan, FindsTheLeastNumberOfPeople) {
  for (const MeanQuery query : {MeanQuery::Whitened, MeanQuery::Scaled, MeanQuery::Bounded}) {
    const double n = *people_for_mean_test(kPlan, query, kEta, 0.8, 0.05);
    EXPECT_GE(*mean_test_power(kPlan, query, kEta, n, 0.05), 0.8);
    EXPECT_LT(*mean_test_power(kPlan, query, kEta, n - 1, 0.05), 0.8);
    const double for_region = *people_for_mean_region(kPlan, query, 0.3, 0.95, true);
    EXPECT_LE(*mean_log_volume(kPlan, query, for_region, 0.95, true), 0.3);
    EXPECT_GT(*mean_log_volume(kPlan, query, for_region - 1, 0.95, true), 0.3);
  }
  EXPECT_EQ(*people_for_mean_test(kPlan, MeanQuery::Whitened, {1e6, 0}, 0.8, 0.05), 2) << "one person has no mean that varies";
  EXPECT_EQ(*people_for_mean_region(kPlan, MeanQuery::Whitened, 100, 0.95, true), 2);
  EXPECT_EQ(people_for_mean_region(kPlan, MeanQuery::Whitened, -100, 0.95, true).error().code(), Code::Unsupported);
}

TEST(MeanPlan, RefusesWhatIsNoPlan) {
  EXPECT_EQ(mean_test_power(kPlan, MeanQuery::Whitened, {0, 0}, 100, 0.05).error().message(),
            "eta is all zeros, but must differ from the mean 0 that is tested");
  EXPECT_EQ(mean_test_power(kPlan, MeanQuery::Whitened, {1}, 100, 0.05).error().message(),
            "eta is 1 numbers, but must be one for each of the 2 columns; for example: eta = 10,5");
  EXPECT_EQ(mean_test_power(kPlan, MeanQuery::Whitened, kEta, 1, 0.05).error().message(),
            "n is 1, but must be a finite number, at least 2 and at most 1e15; for example: n = 500");
  EXPECT_EQ(mean_test_power(kPlan, MeanQuery::Whitened, kEta, 100, 0.9).error().name(), "alpha");
  MeanPlan plan = kPlan;
  plan.ranges.clear();
  EXPECT_EQ(mean_noise(plan, MeanQuery::Bounded, 100).error().message(),
            "range is 0 numbers, but must be one for each of the 2 columns; for example: range = 400,150");
  plan.ranges = {400, 0};
  EXPECT_EQ(mean_noise(plan, MeanQuery::Bounded, 100).error().message(),
            "range is 0, but must be a finite number, at least 1e-50 and at most 1e50; for example: range = 400,150");
  plan.mu = 0;
  EXPECT_EQ(mean_noise(plan, MeanQuery::Bounded, 100).error().message(),
            "mu is 0, but must be a finite number, at least 1e-6 and at most 1e6; for example: mu = 0.5");
  plan.covariance.values = {1, 2, 2, 1};
  EXPECT_EQ(mean_noise(plan, MeanQuery::Whitened, 100).error().name(), "covariance");
  EXPECT_EQ(named<MeanQuery>("query", "best").error().message(), "query is best, but must be whitened, scaled or bounded");
  EXPECT_EQ(mean_log_volume(kPlan, MeanQuery::Whitened, 100, 0.2, true).error().message(),
            "confidence is 0.2, but must be at least 0.5 and at most 1 - 1e-9; for example: confidence = 0.95");
}

}  // namespace
}  // namespace tacet::planning::mean_query_plan_test
