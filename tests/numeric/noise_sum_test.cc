#include "tacet/numeric/noise_sum.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/numeric/normal.h"

namespace tacet::numeric::noise_sum_test {
namespace {

TEST(NoiseSum, IsNormalWithoutLaplaceVariables) {
  const NoiseSum noise(4);
  EXPECT_DOUBLE_EQ(noise.upper(3), normal_upper(1.5));
  EXPECT_DOUBLE_EQ(noise.upper(-3), 1 - normal_upper(1.5));
  EXPECT_NEAR(noise.two_sided_quantile(0.05), 3.919927969080108, 1e-12);
}

TEST(NoiseSum, IsLaplaceForOneVariable) {
  const NoiseSum noise(0, {{.weight = -2}});
  EXPECT_DOUBLE_EQ(noise.upper(3), std::exp(-1.5) / 2);
  EXPECT_NEAR(noise.two_sided_quantile(0.05), 2 * std::log(20.0), 1e-8);
  EXPECT_DOUBLE_EQ(noise.variance(), 8);
}

// The sum of two standard Laplace variables has the tail (2 + q) exp(-q)/4.
TEST(NoiseSum, HasTheClosedFormOfTwoVariables) {
  const NoiseSum noise(0, {{.weight = 1, .times = 2}});
  for (const double q : {1e-6, 0.1, 1.0, 3.0, 10.0, 30.0}) {
    const double exact = (2 + q) * std::exp(-q) / 4;
    EXPECT_NEAR(noise.upper(q) / exact, 1, 1e-9) << q;
  }
}

// Weights 1 and 2: partial fractions of 1/((1 - s^2)(1 - 4 s^2)).
TEST(NoiseSum, HasTheClosedFormOfTwoWeights) {
  const NoiseSum noise(0, {{.weight = 1}, {.weight = 2}});
  for (const double q : {0.1, 1.0, 5.0, 20.0}) EXPECT_NEAR(noise.upper(q), (4 * std::exp(-q / 2) - std::exp(-q)) / 6, 1e-10) << q;
}

// Normal plus Laplace: E[exp(-|q - Z|)] by completing the square.
TEST(NoiseSum, HasTheClosedFormOfNormalPlusLaplace) {
  const double sigma = 0.7;
  const NoiseSum noise(sigma * sigma, {{.weight = 1}});
  for (const double q : {0.05, 0.5, 2.0, 8.0}) {
    const double shift = std::exp(sigma * sigma / 2);
    const double exact = normal_upper(q / sigma) +
                         shift / 2 * (std::exp(-q) * normal_lower(q / sigma - sigma) - std::exp(q) * normal_upper(q / sigma + sigma));
    EXPECT_NEAR(noise.upper(q) / exact, 1, 1e-8) << q;
  }
}

TEST(NoiseSum, QuantilesInvertTails) {
  const NoiseSum noise(3, {{.weight = 0.5, .times = 7}, {.weight = -4, .times = 2}, {.weight = 1e-20}});
  for (const double alpha : {0.5, 0.05, 1e-3, 1e-9})
    EXPECT_NEAR(2 * noise.upper(noise.two_sided_quantile(alpha)) / alpha, 1, 1e-7) << alpha;
}

TEST(NoiseSum, ManyVariablesAreNearlyNormal) {
  const NoiseSum noise(0, {{.weight = 1, .times = 100'000}});
  EXPECT_NEAR(noise.two_sided_quantile(0.05) / (1.959963984540054 * std::sqrt(200'000)), 1, 1e-4);
}

TEST(NoiseSum, WithoutNoiseNoExactValueIsExcluded) {
  const NoiseSum nothing(0, {{.weight = 0, .times = 4}});
  EXPECT_EQ(nothing.upper(0), 1);
  EXPECT_EQ(nothing.upper(1e-300), 0);
  EXPECT_EQ(nothing.two_sided_quantile(0.05), 0);
}

TEST(NoiseSum, BeginsATailHalfAStepEarlierOnALattice) {
  const NoiseSum continuous(4, {{.weight = 1}});
  const NoiseSum lattice(4, {{.weight = 1}}, 0.5);
  for (const double q : {-2.0, 0.0, 0.25, 3.0}) EXPECT_EQ(lattice.upper(q), continuous.upper(q - 0.5));
  EXPECT_EQ(lattice.two_sided_quantile(0.05), continuous.two_sided_quantile(0.05) + 0.5);
  EXPECT_EQ(lattice.variance(), continuous.variance());
}

}  // namespace
}  // namespace tacet::numeric::noise_sum_test
