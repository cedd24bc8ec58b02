// A region for the difference of two means, and the Mahalanobis distance: without noise they are
// Hotelling's region and the inversion of a noncentral F distribution; where noise hides the
// covariance, the distance has no bound.
#include "tacet/inference/means/difference_region.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_means.h"

namespace tacet::inference::difference_region_test {
namespace {

using mechanisms::MomentRelease;

std::vector<std::vector<double>> correlated_rows(std::size_t people, double shift, double other, double unit) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < people; ++i) {
    const double u = 6 * static_cast<double>(i * 7 % people) / static_cast<double>(people);
    const double v = 4 * static_cast<double>(i * 11 % people) / static_cast<double>(people);
    rows.push_back({unit * (u + shift), v + 0.3 * u + other});
  }
  return rows;
}

MomentRelease release_of_rows(const std::vector<std::vector<double>>& rows, double mu, double unit = 1) {
  return studies::exact_release(
      {.columns = {studies::column("a", -10 * unit, 20 * unit), studies::column("b", -10, 30)}, .family = "gaussian", .mu = mu}, rows);
}

TEST(DifferenceRegion, WithoutNoiseIsHotellingsAndTheDistanceOfANoncentralF) {
  const MomentRelease a = release_of_rows(correlated_rows(61, 0, 0, 1), 1e7);
  const MomentRelease b = release_of_rows(correlated_rows(43, 1, -0.4, 1), 1e7);
  const DifferenceRegion region = *difference_region({&a, 0}, {&b, 0}, {.alpha = 0.05, .draws = 40'000});
  ASSERT_FALSE(region.no_answer);
  EXPECT_NEAR(region.center[0], -0.97941289, 1e-8);
  EXPECT_NEAR(region.center[1], 0.41990088, 1e-8);
  // By scipy 1.14: sampling covariances pooled, T^2 = 17.047, its noncentrality by ncf.
  EXPECT_NEAR(*region.distance.estimate, 0.79105, 0.012);
  EXPECT_NEAR(region.distance.lower, 0.37337, 0.015);
  EXPECT_NEAR(*region.distance.upper, 1.20275, 0.02);
  EXPECT_FALSE(region.distance.reason);
  // Hotelling's quantile with pooled covariances; ours are not pooled, so that it is a little
  // larger.
  EXPECT_NEAR(region.radius * region.radius, 6.23386, 0.25);
  EXPECT_NEAR(region.volume, 1.58257, 0.08);
  EXPECT_NEAR(region.log_volume, std::log(region.volume), 1e-12);
}

TEST(DifferenceRegion, DoesNotDependOnUnits) {
  for (const double unit : {1e-6, 1e9}) {
    std::vector<DifferenceRegion> regions;
    for (const double scale : {1.0, unit}) {
      MomentRelease a = release_of_rows(correlated_rows(610, 0, 0, scale), 3, scale);
      MomentRelease b = release_of_rows(correlated_rows(430, 1, -0.4, scale), 3, scale);
      numeric::InsecureStream stream(3, 1);
      studies::add_noise(a, stream);
      studies::add_noise(b, stream);
      regions.push_back(*difference_region({&a, 0}, {&b, 0}, {.draws = 999}));
    }
    EXPECT_NEAR(regions[1].radius, regions[0].radius, 1e-6);
    EXPECT_NEAR(regions[1].volume / unit, regions[0].volume, 1e-6 * regions[0].volume);
    EXPECT_NEAR(regions[1].distance.lower, regions[0].distance.lower, 1e-6);
    EXPECT_NEAR(*regions[1].distance.estimate, *regions[0].distance.estimate, 1e-6);
    EXPECT_NEAR(regions[1].shape.at(0, 1) / unit, regions[0].shape.at(0, 1), 1e-6 * std::abs(regions[0].shape.at(0, 1)));
  }
}

TEST(DifferenceRegion, OfEqualGroupsHasADistanceThatMayBeZero) {
  const MomentRelease a = release_of_rows(correlated_rows(610, 0, 0, 1), 1e7);
  const DifferenceRegion region = *difference_region({&a, 0}, {&a, 0}, {.draws = 999});
  EXPECT_EQ(region.distance.lower, 0);
  EXPECT_EQ(*region.distance.estimate, 0) << "chance alone makes a larger one";
  EXPECT_GT(*region.distance.upper, 0);
}

TEST(DifferenceRegion, SaysThatNoiseHidesTheCovariance) {
  MomentRelease a = release_of_rows(correlated_rows(61, 0, 0, 1), 0.2);
  MomentRelease b = release_of_rows(correlated_rows(43, 1, 0, 1), 0.2);
  const DifferenceRegion region = *difference_region({&a, 0}, {&b, 0}, {.draws = 999});
  EXPECT_FALSE(region.no_answer);
  EXPECT_GT(region.radius, 0);
  EXPECT_EQ(region.distance.lower, 0);
  EXPECT_FALSE(region.distance.upper);
  ASSERT_TRUE(region.distance.reason);
  EXPECT_NE(region.distance.reason->find("noise may hide"), std::string::npos);
}

TEST(DifferenceRegion, OfTooFewPeopleIsNone) {
  const MomentRelease few = release_of_rows(correlated_rows(3, 0, 0, 1), 10);
  const MomentRelease many = release_of_rows(correlated_rows(61, 0, 0, 1), 10);
  EXPECT_EQ(difference_region({&few, 0}, {&many, 0}, {})->no_answer,
            "3 people are too few for a covariance of 2 columns: at least 4 are needed");
  EXPECT_EQ(difference_region({&many, 0}, {&many, 0}, {.alpha = 0}).error().name(), "alpha");
  EXPECT_EQ(difference_region({&many, 0}, {&many, 0}, {.alpha = 0.01, .draws = 9}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::inference::difference_region_test
