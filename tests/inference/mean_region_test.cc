// Regions: their geometry, their laws, and what they say.
#include "tacet/inference/means/mean_region.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/numeric/noise_quantile.h"
#include "tacet/studies/levels/drawn_means.h"

namespace tacet::inference::mean_region_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

NoisyMean mean_of(const std::string& family, bool products = false, std::size_t people = 400, bool private_count = false) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < people; ++i) rows.push_back({i % 2 == 0 ? 2.0 : 4.0, i % 4 < 2 ? 1.0 : -1.0});
  return *noisy_mean(studies::exact_release({.columns = {studies::column("a", 0, 10), studies::column("b", -5, 5)},
                                             .family = family,
                                             .products = products,
                                             .private_count = private_count},
                                            rows),
                     0);
}

TEST(MeanRegion, OfGaussianNoiseIsTheEllipsoidOfChiSquare) {
  const NoisyMean mean = mean_of("gaussian");
  const MeanRegion region = *mean_region(mean, {.confidence = 0.95});
  EXPECT_NEAR(region.radius * region.radius, 5.991464547107979, 1e-9);
  const double sd = std::sqrt(region.shape.at(0, 0));
  EXPECT_NEAR(region.volume, std::numbers::pi * region.radius * region.radius * sd * std::sqrt(region.shape.at(1, 1)), 1e-12);
  EXPECT_NEAR(region.marginal.upper[0] - region.center[0], 1.959963984540054 * sd, 1e-9);
  EXPECT_NEAR(region.simultaneous.upper[0] - region.center[0], numeric::max_quantile_gaussian(2, 0.05) * sd, 1e-9);
  EXPECT_EQ(region.method, MeanMethod::Exact);
  EXPECT_THAT(region.distribution, HasSubstr("chi-square with 2 degrees of freedom"));
  EXPECT_THAT(region.includes, Contains("the gaussian noise of the release"));
  EXPECT_THAT(region.leaves_out, Contains(HasSubstr("sampling error")));
}

TEST(MeanRegion, OfOneMeanIsItsInterval) {
  mechanisms::MomentRelease one = studies::exact_release({.columns = {studies::column("a", 0, 10)}, .products = false}, {{1}, {2}, {3}});
  const MeanRegion region = *mean_region(*noisy_mean(one, 0), {});
  EXPECT_NEAR(region.volume, region.marginal.upper[0] - region.marginal.lower[0], 1e-9);
  EXPECT_NEAR(region.simultaneous.upper[0], region.marginal.upper[0], 1e-9);
}

TEST(MeanRegion, OfOtherNoiseHasTheQuantilesOfItsOwnLaw) {
  const NoisyMean laplace = mean_of("laplace");
  const MeanRegion region = *mean_region(laplace, {.confidence = 0.9, .distribution = {.simulation = {.threads = 1}}});
  EXPECT_EQ(region.method, MeanMethod::Simulated);
  const double scale = laplace.mix[0];
  // Marginal and simultaneous quantiles of Laplace noise are known; 10^5 draws give them to a per
  // cent.
  EXPECT_NEAR((region.marginal.upper[0] - region.center[0]) / (scale * numeric::max_quantile_laplace(1, 0.1)), 1, 0.03);
  EXPECT_NEAR((region.simultaneous.upper[0] - region.center[0]) / (scale * numeric::max_quantile_laplace(2, 0.1)), 1, 0.03);
  EXPECT_THAT(region.distribution, HasSubstr("99999 draws of laplace noise, with seed 1"));
  const MeanRegion cube = *mean_region(mean_of("k-norm"), {.distribution = {.draws = 999}});
  EXPECT_THAT(cube.distribution, HasSubstr("k-norm"));
  EXPECT_EQ(mean_region(mean_of("k-norm"), {.confidence = 0.9999, .distribution = {.draws = 999}}).error().name(), "draws");
}

TEST(MeanRegion, RepeatsItselfForEveryNumberOfThreads) {
  const auto radius = [](unsigned threads) {
    return mean_region(mean_of("laplace", true),
                       {.distribution = {.target = MeanTarget::Population, .draws = 999, .simulation = {.threads = threads}}})
        ->radius;
  };
  EXPECT_EQ(radius(1), radius(3));
}

TEST(MeanRegion, OfThePopulationIsWiderAndSaysWhatItAssumes) {
  const NoisyMean mean = mean_of("gaussian", true);
  const MeanRegion data = *mean_region(mean, {});
  const std::vector<double> unit = {1, 0, 0, 1};
  const MeanRegion known = *mean_region(mean, {.distribution = {.target = MeanTarget::Population, .covariance = unit}});
  EXPECT_NEAR(known.shape.at(0, 0), data.shape.at(0, 0) + 1.0 / 400, 1e-12);
  const MeanRegion estimated = *mean_region(mean, {.distribution = {.target = MeanTarget::Population, .draws = 999}});
  EXPECT_EQ(estimated.method, MeanMethod::Bootstrap);
  EXPECT_GE(estimated.radius, known.radius);
  EXPECT_THAT(estimated.includes, Contains(HasSubstr("estimated from noisy values")));
  EXPECT_TRUE(estimated.private_covariance);
}

TEST(MeanRegion, RefusesWhatIsNoCovarianceAndWhatItCannotKnow) {
  const NoisyMean mean = mean_of("gaussian");
  const auto refused = [&](std::vector<double> covariance) {
    return mean_region(mean, {.distribution = {.target = MeanTarget::Population, .covariance = std::move(covariance)}}).error().name();
  };
  EXPECT_EQ(refused({1, 2, 2, 1}), "covariance") << "indefinite";
  EXPECT_EQ(refused({1, 1, 1, 1}), "covariance") << "singular";
  EXPECT_EQ(refused({1, 0, 0.5, 1}), "covariance") << "not symmetric";
  EXPECT_EQ(refused({1, 0, 0}), "covariance");
  EXPECT_EQ(refused({-1, 0, 0, 1}), "covariance");
  EXPECT_EQ(refused({NAN, 0, 0, 1}), "covariance");
  const auto unknown = mean_region(mean, {.distribution = {.target = MeanTarget::Population}});
  EXPECT_EQ(unknown.error().code(), Code::Unsupported);
  EXPECT_THAT(unknown.error().message(), HasSubstr("holds no second moments"));
  EXPECT_EQ(mean_region(mean, {.distribution = {.covariance = std::vector<double>{1, 0, 0, 1}}}).error().name(), "covariance")
      << "for data it has no use";
  EXPECT_EQ(mean_region(mean, {.confidence = 0.3}).error().name(), "confidence");
  NoisyMean ed = mean_of("laplace", true);
  ed.second_moments->mechanism = mechanisms::MomentMechanism::Eigen;
  EXPECT_EQ(mean_region(ed, {.distribution = {.target = MeanTarget::Population}}).error().code(), Code::Unsupported);
  EXPECT_TRUE(mean_region(ed, {.distribution = {.draws = 99}}).ok());
}

TEST(MeanRegion, OfTooFewPeopleIsInconclusiveWithItsReason) {
  const MeanRegion few = *mean_region(mean_of("gaussian", true, 3), {.distribution = {.target = MeanTarget::Population}});
  EXPECT_THAT(*few.no_answer, HasSubstr("3 people are too few for a covariance of 2 columns"));
  const MeanRegion nobody = *mean_region(mean_of("gaussian", false, 0), {});
  EXPECT_THAT(*nobody.no_answer, HasSubstr("nobody is in this group"));
  const MeanRegion noisy = *mean_region(mean_of("gaussian", false, 5, true), {});
  EXPECT_THAT(*noisy.no_answer, HasSubstr("times its noise"));
}

TEST(MeanRegion, OutlinesTheShadowOfTheEllipsoid) {
  MeanRegion region{};
  region.center = {1, 0, 2};
  region.shape = {3, 3, {4, 1, 1, 1, 9, 0, 1, 0, 1}};
  region.radius = 2;
  const auto points = outline(region, 0, 2, 37);
  EXPECT_EQ(points.front(), points.back());
  for (const auto& [x, y] : points) {
    // The block (0, 2) of the shape is [[4, 1], [1, 1]], its inverse [[1, -1], [-1, 4]]/3.
    const double a = x - 1;
    const double b = y - 2;
    EXPECT_NEAR((a * a - 2 * a * b + 4 * b * b) / 3, 4, 1e-9);
  }
}

}  // namespace
}  // namespace tacet::inference::mean_region_test
