// Estimates and their noise, of every kind of release.
#include "tacet/inference/means/noisy_mean.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_means.h"

namespace tacet::inference::noisy_mean_test {
namespace {

using mechanisms::MomentRelease;
using mechanisms::QueryRelease;
using ::testing::HasSubstr;

const std::vector<std::vector<double>> kRows(50, {3, -1});

MomentRelease release(const std::string& family, bool private_count = false) {
  return studies::exact_release(
      {.columns = {studies::column("a", 0, 10), studies::column("b", -5, 5)}, .family = family, .private_count = private_count}, kRows);
}

QueryRelease query(mechanisms::Matrix map, const std::string& by) {
  QueryRelease out{};
  out.header.statement = fmt::format(R"({{"by": "{}"}})", by);
  out.columns = {"a", "b"};
  out.centre = {1, 2};
  out.map = std::move(map);
  out.radius = 5;
  out.parts = {{.n = 100, .sums = std::vector<double>(out.map.rows, 10)}};
  out.scale = 3;
  return out;
}

TEST(NoisyMean, OfMomentsIsTheRatioAndItsNoiseIsTheScaleOverN) {
  const MomentRelease r = release("gaussian");
  const NoisyMean mean = *noisy_mean(r, 0);
  EXPECT_EQ(mean.estimate, (std::vector<double>{3, -1}));
  const double sd = r.parts[0].sums[0].scale / 50;
  EXPECT_NEAR(noise_covariance(mean)[0], sd * sd, 1e-12);
  EXPECT_EQ(noise_covariance(mean)[1], 0);
  EXPECT_TRUE(mean.second_moments);
  EXPECT_FALSE(mean.no_answer);
  EXPECT_NEAR(noise_covariance(*noisy_mean(release("laplace"), 0))[0], 2 * sd * sd, 1e-12);
  EXPECT_NEAR(noise_covariance(*noisy_mean(release("k-norm"), 0))[0], 6.0 * 7 / 3 * sd * sd, 1e-12) << "five numbers share a draw";
}

TEST(NoisyMean, OfAPrivateNumberOfPeopleHasItsNoiseToo) {
  MomentRelease r = release("gaussian", true);
  r.parts[0].people.scale = 1;
  const NoisyMean mean = *noisy_mean(r, 0);
  // Centres are 5 and 0: the means are 2 and 1 below them.
  const std::vector<double> noise = noise_covariance(mean);
  const double sum_sd = r.parts[0].sums[0].scale / 50;
  EXPECT_NEAR(noise[0], sum_sd * sum_sd + std::pow(2.0 / 50, 2), 1e-12);
  EXPECT_NEAR(noise[1], 2.0 / 50 * 1.0 / 50, 1e-12);
  EXPECT_FALSE(mean.no_answer);
}

TEST(NoisyMean, OfTooFewPeopleSaysWhyNothingFollows) {
  MomentRelease r = release("gaussian", true);
  r.parts[0].people = {0.3, 1};
  EXPECT_THAT(*noisy_mean(r, 0)->no_answer, HasSubstr("the noisy number of people is 0.3, which must be at least 10"));
  r.parts[0].people = {0, 0};
  EXPECT_THAT(*noisy_mean(r, 0)->no_answer, HasSubstr("nobody is in this group"));
  EXPECT_FALSE(noisy_mean(r, 1).ok());
}

TEST(NoisyMean, OfAQueryUndoesItsMap) {
  const NoisyMean mean = *noisy_mean(query({2, 2, {2, 0, 1, 1}}, "covariance"));
  EXPECT_NEAR(mean.estimate[0], 1.05, 1e-12);
  EXPECT_NEAR(mean.estimate[1], 2.05, 1e-12);
  const std::vector<double> noise = noise_covariance(mean);  // (0.03)^2 (M'M)^-1
  EXPECT_NEAR(noise[0], 9e-4 * 0.25, 1e-15);
  EXPECT_NEAR(noise[1], -9e-4 * 0.25, 1e-15);
  EXPECT_NEAR(noise[3], 9e-4 * 1.25, 1e-15);
  ASSERT_TRUE(mean.row_covariance);
  EXPECT_NEAR((*mean.row_covariance)[3], 1.25, 1e-12) << "what the map whitens";
  EXPECT_TRUE(mean.clipping);
  EXPECT_FALSE(noisy_mean(query({2, 2, {2, 0, 0, 1}}, "sd"))->row_covariance);
}

TEST(NoisyMean, OfADirectionIsOneNumberWithTheNameOfTheCombination) {
  const NoisyMean mean = *noisy_mean(query({1, 2, {1, -2}}, "direction"));
  EXPECT_EQ(mean.names, std::vector<std::string>{"a - 2 b"});
  EXPECT_NEAR(mean.estimate[0], 0.1 - 3, 1e-12);
  EXPECT_NEAR(noise_covariance(mean)[0], 9e-4, 1e-15);
  EXPECT_FALSE(mean.clipping);
}

// An eigenvalue may exceed what the variance of one column can be: two columns of zeros and ones,
// half and half, of correlation 0.8.
TEST(PrivateRowCovariance, KeepsAnEigenvalueLargerThanAnyVariance) {
  mechanisms::MomentRelease release{};
  release.kind = mechanisms::MomentKind::Covariance;
  release.mechanism = mechanisms::MomentMechanism::Gaussian;
  release.columns = {{"a", 0, 1, 1, 0.5}, {"b", 0, 1, 1, 0.5}};
  release.parts = {{{10'000, 0}, {{0, 1}, {0, 1}}, {{2500, 1}, {2000, 1}, {2500, 1}}}};
  const std::vector<double> covariance = private_row_covariance(release, noisy_mean_alone(release));
  EXPECT_NEAR(covariance[0], 0.25, 1e-3);
  EXPECT_NEAR(covariance[1], 0.2, 1e-3);
}

TEST(PrivateRowCovariance, IsTheSampleCovarianceWhereNoiseIsSmallAndNeverBelowTheFloor) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 100; ++i) rows.push_back({i % 2 == 0 ? 2.0 : 4.0, i % 4 < 2 ? 1.0 : -1.0});
  studies::MomentDesign design{.columns = {studies::column("a", 0, 10), studies::column("b", -5, 5)}, .mu = 1e6};
  const MomentRelease sharp = studies::exact_release(design, rows);
  const std::vector<double> covariance = private_row_covariance(sharp, *noisy_mean(sharp, 0));
  EXPECT_NEAR(covariance[0], 100.0 / 99, 1e-4);
  EXPECT_NEAR(covariance[1], 0, 1e-4);
  EXPECT_NEAR(covariance[3], 100.0 / 99, 1e-4);
  design.mu = 0.5;
  MomentRelease noisy = studies::exact_release(design, rows);
  for (auto& product : noisy.parts[0].products) product.value = -1e6;
  const std::vector<double> raised = private_row_covariance(noisy, *noisy_mean(noisy, 0));
  EXPECT_GT(raised[0], 0);
  EXPECT_GT(raised[0] * raised[3] - raised[1] * raised[2], 0);
}

TEST(PrivateRowCovariance, FollowsAChangeOfUnits) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 100; ++i) rows.push_back({i % 2 == 0 ? 2.0 : 4.0, i % 4 < 2 ? 1.0 : -2.0});
  for (const double mu : {0.1, 1.0, 1000.0}) {
    const auto covariance = [&](double unit) {
      std::vector<std::vector<double>> scaled = rows;
      for (auto& row : scaled) row[1] *= unit;
      MomentRelease r =
          studies::exact_release({.columns = {studies::column("a", 0, 10), studies::column("b", -5 * unit, 5 * unit)}, .mu = mu}, scaled);
      numeric::InsecureStream stream(3, 1);
      studies::add_noise(r, stream);
      return private_row_covariance(r, *noisy_mean(r, 0));
    };
    const std::vector<double> before = covariance(1);
    const std::vector<double> after = covariance(1000);
    const double size = std::max(before[0], before[3]);
    EXPECT_NEAR(after[0], before[0], 1e-9 * size) << mu;
    EXPECT_NEAR(after[1] / 1e3, before[1], 1e-9 * size) << mu;
    EXPECT_NEAR(after[3] / 1e6, before[3], 1e-9 * size) << mu;
  }
}

TEST(DrawUnitNoise, HasTheVarianceThatIsSaid) {
  for (const UnitNoise family : {UnitNoise::Gaussian, UnitNoise::Laplace, UnitNoise::KNorm}) {
    numeric::InsecureStream stream(3, 1);
    constexpr int kDraws = 100'000;
    std::vector<double> unit(4);
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) {
      draw_unit_noise(family, 7, stream, unit);
      sum += unit[3] * unit[3];
    }
    EXPECT_NEAR(sum / kDraws / unit_variance(family, 7), 1, 0.05) << name(family);
  }
}

}  // namespace
}  // namespace tacet::inference::noisy_mean_test
