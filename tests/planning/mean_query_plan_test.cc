// Plans of means: by hand, in order, and against what a release of the same design then says.
#include "tacet/planning/mean_query_plan.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tacet/inference/means/mean_hypothesis.h"
#include "tacet/inference/means/mean_region.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/numeric/normal.h"
#include "tacet/planning/query_map.h"

namespace tacet::planning::mean_query_plan_test {
namespace {

const MeanPlan kPlan{.covariance = mechanisms::Matrix{2, 2, {400, 100, 100, 225}}, .mu = 0.5, .ranges = {400, 150}};
const std::vector<double> kEta = {2, 1};

TEST(MeanPlan, OfOneColumnIsByHand) {
  const MeanPlan one{.covariance = mechanisms::Matrix{1, 1, {4}}, .mu = 2, .ranges = {10}};
  // Bounded: noise of deviation 10/(2 n), sampling error of 2/sqrt(n).
  const double deviation = std::sqrt(std::pow(10.0 / 200, 2) + 4.0 / 100);
  EXPECT_NEAR(*mean_test_power(one, MeanQuery::Bounded, {0.5}, 100, 0.05), numeric::normal_lower(0.5 / deviation - 1.6448536269514722),
              1e-10);
  EXPECT_NEAR(*mean_log_volume(one, MeanQuery::Bounded, 100, 0.95, true), std::log(2 * 1.959963984540054 * deviation), 1e-9);
  EXPECT_NEAR(*mean_log_volume(one, MeanQuery::Bounded, 100, 0.95, false), std::log(2 * 1.959963984540054 * 0.05), 1e-9);
}

TEST(MeanPlan, OfOneCoordinateIsTheSameWhitenedOrScaled) {
  const MeanPlan one{.covariance = mechanisms::Matrix{1, 1, {4}}, .mu = 2};
  EXPECT_NEAR(mean_noise(one, MeanQuery::Whitened, 1000)->at(0, 0) / mean_noise(one, MeanQuery::Scaled, 1000)->at(0, 0), 1, 1e-9);
}

/// The file that release query would write for this map, up to its noise.
mechanisms::QueryRelease release_of(const QueryMap& query, const std::string& by, double n, double mu) {
  mechanisms::QueryRelease release{};
  release.header.statement = R"({"by": ")" + by + R"("})";
  for (std::size_t j = 0; j < query.map.columns; ++j) release.columns.push_back(std::string(1, static_cast<char>('a' + j)));
  release.centre.assign(query.map.columns, 0);
  release.map = query.map;
  release.radius = query.radius;
  release.scale = 2 * release.radius / mu;
  release.parts = {{.n = n, .sums = std::vector<double>(query.map.rows)}};
  return release;
}

TEST(MeanPlan, IsWhatTheReleaseOfThatDesignSays) {
  // The blood tests of Adjusted: scaled rows are clipped more often than one in n, because they
  // are correlated, and the region allows for it.
  const mechanisms::Matrix blood{6, 6, {1600, -160, -400, 840, 800, -40, -160, 400, 160, -175, -200, 0,   -400, 160, 1600, 280, 600, 0, 840,
                                        -175, 280,  1225, 700, -35, 800, -200, 600, 700, 2500, -50,  -40, 0,    0,   -35,  -50, 100}};
  const std::vector<double> eta = {0.6, 0.3, 0.6, 0.5, 0.7, 0.15};
  constexpr double kPeople = 20000;
  const MeanPlan plan{.covariance = blood, .mu = 0.5};
  const inference::MeanDistributionOptions law{.target = inference::MeanTarget::Population, .covariance = blood.values};
  std::vector<double> sd;
  for (std::size_t j = 0; j < 6; ++j) sd.push_back(std::sqrt(blood.at(j, j)));
  for (const MeanQuery query : {MeanQuery::Whitened, MeanQuery::Scaled}) {
    const bool whitened = query == MeanQuery::Whitened;
    const QueryMap map = whitened ? *whitened_map(blood, {.n = 20000}) : *scaled_map(sd, {.n = 20000});
    const inference::NoisyMean mean = *inference::noisy_mean(release_of(map, whitened ? "covariance" : "sd", kPeople, plan.mu));
    const auto test = inference::test_mean(mean, {.null = std::vector<double>(6), .alternative = eta, .distribution = law});
    EXPECT_NEAR(*test->power, *mean_test_power(plan, query, eta, kPeople, 0.05), 1e-9);
    const auto region = inference::mean_region(mean, {.distribution = law});
    EXPECT_NEAR(region->log_volume, *mean_log_volume(plan, query, kPeople, 0.95, true), 1e-9);
    // Without an allowance for clipping the region would be smaller.
    std::vector<double> shape = mean_noise(plan, query, kPeople)->values;
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] += blood.values[i] / kPeople;
    const double naive = inference::log_ellipsoid_volume(shape, 6, std::sqrt(12.591587243743977));
    EXPECT_GT(region->log_volume, naive + (whitened ? 0 : 0.1));
    EXPECT_NEAR(region->log_volume, naive, whitened ? 0.01 : 0.4);
    const double share = **mean_clipped_share(plan, query, {}, kPeople);
    EXPECT_NEAR(share, whitened ? 5e-5 : 7e-4, whitened ? 1e-10 : 5e-4);
  }
}

TEST(MeanPlan, OfTheDataNeedsRangesOnly) {
  const MeanPlan plan{.covariance = {}, .mu = 0.5, .ranges = {400, 150}};
  const std::vector<double> eta = {2, 1};
  const auto power = [&](MeanQuery query) { return *mean_test_power(plan, query, eta, 1000, 0.05, /*population=*/false); };
  const double z = 1.6448536269514722;
  const double unit = 1 / (0.5 * 1000);
  EXPECT_NEAR(power(MeanQuery::Isotropic), numeric::normal_lower(std::hypot(2, 1) / (std::hypot(400, 150) * unit) - z), 1e-12);
  EXPECT_NEAR(power(MeanQuery::Bounded), numeric::normal_lower(std::hypot(2.0 / 400, 1.0 / 150) / (std::sqrt(2) * unit) - z), 1e-12);
  EXPECT_NEAR(power(MeanQuery::Column), numeric::normal_lower(1.0 / 150 / unit - z), 1e-12);
  // Adjusted, Theorem 2.4: of all weights xi, one coordinate has the most power.
  for (const MeanQuery query : {MeanQuery::Isotropic, MeanQuery::Bounded, MeanQuery::LeastSquares})
    EXPECT_LT(power(query), power(MeanQuery::Column));
  EXPECT_EQ(mean_test_power(plan, MeanQuery::Column, eta, 1000, 0.05).error().name(), "covariance");
  EXPECT_EQ(mean_test_power(plan, MeanQuery::Whitened, eta, 1000, 0.05, false).error().name(), "covariance");
  // Theorem 2.1 and Theorem 5.
  const RangeGains gains = range_gains(plan.ranges);
  EXPECT_NEAR(gains.volume_ratio, 400.0 * 150 / ((160000 + 22500) / 2.0), 1e-12);
  EXPECT_NEAR(
      std::log(gains.volume_ratio),
      *mean_log_volume(plan, MeanQuery::Bounded, 1000, 0.95, false) - *mean_log_volume(plan, MeanQuery::Isotropic, 1000, 0.95, false),
      1e-9);
  const auto trace = [&](MeanQuery query) { return mean_noise(plan, query, 1000)->at(0, 0) + mean_noise(plan, query, 1000)->at(1, 1); };
  EXPECT_NEAR(gains.error_ratio, trace(MeanQuery::Isotropic) / trace(MeanQuery::LeastSquares), 1e-12);
  EXPECT_NEAR(gains.error_ratio, 2 * (160000 + 22500) / (550.0 * 550), 1e-12);
}

TEST(MeanPlan, OfOneNumberHasNoRegion) {
  EXPECT_EQ(mean_log_volume(kPlan, MeanQuery::Combination, 100, 0.95, true).error().code(), Code::Unsupported);
  EXPECT_EQ(mean_noise(kPlan, MeanQuery::Column, 100).error().code(), Code::Unsupported);
  EXPECT_EQ(mean_test_power(kPlan, MeanQuery::Combination, kEta, 100, 0.05, false).error().code(), Code::Unsupported);
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
  plan.covariance->values = {1, 2, 2, 1};
  EXPECT_EQ(mean_noise(plan, MeanQuery::Whitened, 100).error().name(), "covariance");
  EXPECT_EQ(named<MeanQuery>("query", "best").error().message(),
            "query is best, but must be whitened, scaled, bounded, least-squares, isotropic, column, combination or normal-combination");
  EXPECT_EQ(mean_log_volume(kPlan, MeanQuery::Whitened, 100, 0.2, true).error().message(),
            "confidence is 0.2, but must be at least 0.5 and at most 1 - 1e-9; for example: confidence = 0.95");
}

}  // namespace
}  // namespace tacet::planning::mean_query_plan_test
