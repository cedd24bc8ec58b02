// How sums and second moments share a loss: by goal, by family of noise, and never so that all
// products together need more noise.
#include "tacet/mechanisms/moment_noise.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tacet/kernel/outer_products.h"
#include "tacet/mechanisms/product_root.h"

namespace tacet::mechanisms::moment_noise_test {
namespace {

using kernel::NoiseFamily;

std::vector<double> weights(std::size_t columns, bool counts, MomentGoal goal, NoiseFamily family) {
  const MomentNumbers numbers{counts, columns, true};
  return *moment_weights(numbers, std::vector<double>(numbers.size(), 1), goal, family);
}

TEST(MomentWeights, ForATwoSampleTestGaussianNoiseSharesMuSquared) {
  const std::vector<double> w = weights(5, true, MomentGoal::TwoSample, NoiseFamily::Gaussian);
  double total = 0;
  for (const double weight : w) total += weight * weight;
  EXPECT_NEAR(total, 100, 1e-9);
  EXPECT_NEAR(w[0] * w[0], 1, 1e-12);
  for (std::size_t j = 1; j <= 5; ++j) EXPECT_NEAR(w[j] * w[j], 89.0 / 5, 1e-12);
  EXPECT_NEAR(w[6] * w[6], 3.0 / 5, 1e-12);
  EXPECT_NEAR(w[7] * w[7], 7.0 / 10, 1e-12);
}

TEST(MomentWeights, ForATwoSampleTestLaplaceNoiseSharesEpsilon) {
  const std::vector<double> w = weights(5, false, MomentGoal::TwoSample, NoiseFamily::Laplace);
  EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 100, 1e-9);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(w[j], 92.0 / 5, 1e-12);
  EXPECT_NEAR(w[5], 6.0 / 5, 1e-12);
  EXPECT_NEAR(w[6], 2.0 / 10, 1e-12);
  const std::vector<double> many = weights(8, false, MomentGoal::TwoSample, NoiseFamily::Laplace);
  EXPECT_NEAR(many[0], 92.0 / 8, 1e-12);
  EXPECT_NEAR(many[8], 7.0 / 8, 1e-12);
  EXPECT_NEAR(many[9], 1.0 / 28, 1e-12);
  const std::vector<double> one = weights(1, false, MomentGoal::TwoSample, NoiseFamily::Laplace);
  EXPECT_NEAR(one[0], 92, 1e-12);
  EXPECT_NEAR(one[1], 8, 1e-12);
}

TEST(MomentWeights, ForATwoSampleTestProductsTogetherNeedNoMoreNoise) {
  for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
    for (const std::size_t columns : {1U, 2U, 3U, 4U, 30U}) {
      const std::vector<double> w = weights(columns, false, MomentGoal::TwoSample, family);
      std::vector<mpq_class> shares;
      for (std::size_t j = columns; j < w.size(); ++j) shares.emplace_back(family == NoiseFamily::Laplace ? w[j] : w[j] * w[j]);
      EXPECT_LE(kernel::outer_product_factor(shares, columns, product_root(shares, columns)).get_d(), 1 + 1e-9) << columns;
    }
  }
}

TEST(MomentWeights, OfACubeAreOneForAllBeforeTheProducts) {
  const MomentNumbers numbers{true, 2, true};
  const std::vector<double> sizes(numbers.size(), 1);
  const std::vector<double> test = *cube_product_weights(numbers, sizes, MomentGoal::TwoSample);
  ASSERT_EQ(test.size(), 4U);
  EXPECT_NEAR(test[0], 92, 1e-9);
  EXPECT_NEAR(test[1] + test[2] + test[3], 8, 1e-9);
  const std::vector<double> general = *cube_product_weights(numbers, sizes, MomentGoal::Region);
  EXPECT_NEAR(general[0] / (general[1] + general[2] + general[3]), 4.0 / 6, 1e-12);
}

TEST(MomentWeights, RefuseWhatMakesNoSense) {
  const auto refused = [](const MomentNumbers& numbers, const std::vector<double>& sizes, MomentGoal goal) {
    return moment_weights(numbers, sizes, goal, NoiseFamily::Gaussian).error();
  };
  EXPECT_EQ(refused({false, 2, false}, {1, 1}, MomentGoal::TwoSample).code(), Code::Unsupported);
  EXPECT_EQ(refused({false, 2, false}, {1}, MomentGoal::Region).code(), Code::Internal);
  EXPECT_EQ(refused({false, 2, false}, {1, 0}, MomentGoal::Region).name(), "size");
}

}  // namespace
}  // namespace tacet::mechanisms::moment_noise_test
