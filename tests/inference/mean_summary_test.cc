// What a release says of a mean: units, noise laws, and a covariance that noise cannot make too
// small.
#include "tacet/inference/means/mean_summary.h"

#include <cmath>

#include <gtest/gtest.h>

#include "inference/simulated_groups.h"
#include "support/promise.h"

namespace tacet::inference::mean_summary_test {
namespace {

using mechanisms::MomentRelease;
using Family = MeanNoise::Family;

MomentRelease release(const std::string& family) {
  MomentRelease r{};
  r.kind = mechanisms::MomentKind::Covariance;
  r.columns = {{"age", 0, 100, 1, 50}, {"weight", 0, 200, 0.1, 100}};
  r.mechanism = *named<mechanisms::MomentMechanism>("family", family);
  r.parts = {{{1000, 0}, {{5000, 100}, {-20000, 200}}, {{400000, 5000}, {0, 10000}, {1600000, 20000}}}};
  return r;
}

TEST(SummariseMean, IsInHalfWidthsFromTheMiddle) {
  const MeanSummary summary = *summarise_mean(release("gaussian"), 0);
  EXPECT_EQ(summary.people, 1000);
  EXPECT_EQ(summary.people_sd, std::nullopt);
  EXPECT_DOUBLE_EQ(summary.mean[0], 0.1);   // 5 years above 50, of 50
  EXPECT_DOUBLE_EQ(summary.mean[1], -0.2);  // 20 below 100, of 100
  EXPECT_DOUBLE_EQ(summary.noise.scale[0], 0.002);
  EXPECT_DOUBLE_EQ(summary.noise.variance(1), 0.002 * 0.002);
  EXPECT_NEAR(summary.covariance_noise, 0.002, 1e-12);
  EXPECT_NEAR(summary.covariance[0], 0.16 - 0.01, 1e-3);
  EXPECT_NEAR(summary.covariance[1], 0.02, 1e-3);
  EXPECT_NEAR(summary.variance_noise, std::sqrt(0.5 * (0.002 * 0.002 + 0.002 * 0.002)), 1e-12);
}

TEST(SummariseMean, KnowsTheVarianceOfEachFamily) {
  EXPECT_DOUBLE_EQ(summarise_mean(release("laplace"), 0)->noise.variance(0), 2 * 0.002 * 0.002);
  // Two sums and three products share one draw: (5 + 1)(5 + 2)/3.
  EXPECT_DOUBLE_EQ(summarise_mean(release("k-norm"), 0)->noise.variance(0), 14 * 0.002 * 0.002);
}

TEST(SummariseMean, KnowsThatSumsAndProductsMayHaveNoiseOfTwoLaws) {
  const MeanSummary two = *summarise_mean(release("k-norm+laplace"), 0);
  EXPECT_EQ(two.noise.family, Family::KNorm);
  EXPECT_EQ(two.noise.draw_size, 2U);
  EXPECT_DOUBLE_EQ(two.noise.variance(0), 4 * 0.002 * 0.002);        // two sums share a draw: (2 + 1)(2 + 2)/3
  EXPECT_NEAR(two.covariance_noise, std::sqrt(2.0) * 0.002, 1e-12);  // Laplace
  MomentRelease counted = release("k-norm+laplace");
  counted.parts[0].people.scale = 10;
  EXPECT_EQ(summarise_mean(counted, 0)->noise.draw_size, 3U);
  EXPECT_DOUBLE_EQ(summarise_mean(counted, 0)->people_sd.value(), std::sqrt(20.0 / 3) * 10);
}

TEST(SummariseMean, RefusesWhatHasNoSpreadOrNobody) {
  MomentRelease means = release("gaussian");
  means.kind = mechanisms::MomentKind::Mean;
  means.parts[0].products.clear();
  EXPECT_EQ(summarise_mean(means, 0).error().code(), Code::Unsupported);
  MomentRelease nobody = release("gaussian");
  nobody.parts[0].people = {-3, 5};
  EXPECT_EQ(summarise_mean(nobody, 0).error().code(), Code::Unsupported);
}

// 400,000 draws, second moments to 2 %: would catch a K-norm law with d in place of d + 1 waiting
// times, 15 % at d = 5.
TEST(MeanNoise, DrawsHaveTheVarianceThatItTells) {
  test::declare_false_alarm("variance of drawn mean noise", 1e-9);
  const auto draws = static_cast<int>(400'000 / test::coarseness());
  for (const Family family : {Family::Gaussian, Family::Laplace, Family::KNorm}) {
    const MeanNoise noise{family, {1, 2, 3, 1, 1}, 5};
    numeric::InsecureStream stream(test::suite_seed(), static_cast<std::uint64_t>(family));
    std::vector<double> squares(5);
    for (int i = 0; i < draws; ++i) {
      std::vector<double> z(5);
      noise.add(stream, z);
      for (std::size_t j = 0; j < 5; ++j) squares[j] += z[j] * z[j] / draws;
    }
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(squares[j], noise.variance(j), 7 * noise.variance(j) * std::sqrt(5.0 / draws));
  }
}

TEST(NoisyCovariance, TakesOffTheSquareOfTheMeanLessItsNoise) {
  // |x|^2 = 0.5, noise variances of 0.1 in sum: 0.8 of the square.
  const std::vector<double> noisy = noisy_covariance({0.6, 0.1, 0.1, 0.7}, {0.5, 0.5}, 0.1);
  EXPECT_NEAR(noisy[0], 0.6 - 0.8 * 0.25, 1e-15);
  EXPECT_NEAR(noisy[1], 0.1 - 0.8 * 0.25, 1e-15);
  // A mean beyond the cube is moved into it, and one that may be noise is not taken off.
  EXPECT_NEAR(noisy_covariance({2}, {5}, 0)[0], 1, 1e-15);
  EXPECT_EQ(noisy_covariance({0.5}, {0.3}, 0.2)[0], 0.5);
}

TEST(CovarianceForTests, KeepsWhatNoiseDoesNotHide) {
  const HiddenCovariance exact = covariance_for_tests({0.2, 0.1, 0.1, 0.3}, 1e-9, 1e-9, 0.1);
  for (const auto& matrix : {exact.matrix, exact.weighting}) {
    EXPECT_NEAR(matrix[0], 0.2, 1e-8);
    EXPECT_NEAR(matrix[1], 0.1, 1e-8);
    EXPECT_NEAR(matrix[3], 0.3, 1e-8);
  }
  EXPECT_EQ(exact.raised, 0);
}

// A matrix 0.2 I + G, G symmetric with deviation s: the mean of the trace of its inverse is that of
// 0.2 I, and a part (d - 1) (s/0.2)^2 more, which is what degrees of freedom of (0.2/s)^2 would
// make of it.
TEST(CovarianceForTests, TellsWhatNoiseDoesToTheInverseOfWhatIsSeen) {
  std::vector<double> seen(16);
  for (std::size_t j = 0; j < 4; ++j) seen[5 * j] = 0.2;
  EXPECT_DOUBLE_EQ(covariance_for_tests(seen, 0.004, 0, 0).wobble, std::pow(0.004 / 0.2, 2));
  seen[15] = 0.01;  // hidden: three directions of four are seen, and what noise does among them
  EXPECT_NEAR(covariance_for_tests(seen, 0.004, 0, 0).wobble, std::pow(0.75 * 0.004 / 0.2, 2), 1e-5);
  EXPECT_EQ(covariance_for_tests(seen, 1, 0, 0).wobble, 0) << "nothing is seen";
}

TEST(CovarianceForTests, TakesHiddenDirectionsForAsLargeAsTheNoise) {
  const HiddenCovariance hidden = covariance_for_tests({0.5, 0, 0, -0.1}, 0.02, 1e-9, 1);
  EXPECT_EQ(hidden.raised, 1);
  EXPECT_NEAR(hidden.matrix[3], 2 * std::sqrt(2.0) * 0.02, 1e-8);
  EXPECT_NEAR(hidden.weighting[3], 2 * std::sqrt(2.0) * 0.02, 1e-8);
}

TEST(CovarianceForTests, GivesAllToOneDirectionWhereNothingIsSeen) {
  // Variances of 0.2 and 0.1 under noise of 10: the widest law has 0.3 in one direction, and the
  // statistic no direction at all.
  const HiddenCovariance all = covariance_for_tests({0.2, 5, 5, 0.1}, 10, 1e-9, 1e9);
  EXPECT_NEAR(all.matrix[0] + all.matrix[3], 0.3 + 0.15 * 0.15 / (20 * std::sqrt(2.0)), 1e-8);
  EXPECT_LT(all.matrix[0] * all.matrix[3] - all.matrix[1] * all.matrix[2], 0.3 * 1e-3);
  EXPECT_NEAR(all.weighting[0], 0.15, 1e-8);
  EXPECT_NEAR(all.weighting[1], 0, 1e-8);
  EXPECT_NEAR(all.weighting[3], 0.15, 1e-8);
}

TEST(CovarianceForTests, TakesNoTraceForSmallerThanHalfItsNoise) {
  // The trace says -0.1 for each of 4 columns, and is known to 0.2/sqrt(4).
  std::vector<double> moments(16);
  for (std::size_t j = 0; j < 4; ++j) moments[5 * j] = -0.1;
  const HiddenCovariance small = covariance_for_tests(moments, 10, 0.2, 1e9);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(small.weighting[5 * j], 0.05, 1e-12);
  // Noise beyond everything: no column varies by more than 1.
  const HiddenCovariance all = covariance_for_tests(moments, 10, 100, 1e9);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(all.weighting[5 * j], 1, 1e-12);
}

TEST(CovarianceForTests, AllowsForATraceThatNoiseMadeSmallWhereTheMeanHasLittleNoise) {
  const auto trace = [](double mean_noise) { return covariance_for_tests({0.2}, 0.1, 0.1, mean_noise).matrix[0]; };
  EXPECT_NEAR(trace(0), 0.2 + 0.35 * 0.1, 1e-12);
  EXPECT_NEAR(trace(0.2), 0.2 + 0.35 * 0.25 * 0.1, 1e-12);
  EXPECT_NEAR(trace(1e9), 0.2, 1e-12);
}

}  // namespace
}  // namespace tacet::inference::mean_summary_test
