#include "tacet/numeric/discrete_noise.h"

#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace tacet::numeric {
namespace {

/// The probabilities themselves, by definition, out to `reach`.
std::map<int, double> by_definition(bool gaussian, double scale, int reach) {
  std::map<int, double> p;
  double total = 0;
  for (int z = -reach; z <= reach; ++z) {
    const double size = std::abs(z);
    total += p[z] = std::exp(gaussian ? -size * size / (2 * scale * scale) : -size / scale);
  }
  for (auto& [z, probability] : p) probability /= total;
  return p;
}

DiscreteNoise noise_of(bool gaussian, double scale) { return gaussian ? DiscreteNoise::gaussian(scale) : DiscreteNoise::geometric(scale); }

TEST(DiscreteNoise, HasTheVarianceAndTailsOfItsDefinition) {
  for (const bool gaussian : {true, false}) {
    for (const double scale : {0.1, 0.5, 1.0, 2.5, 15.9, 16.1, 60.0}) {
      const DiscreteNoise noise = noise_of(gaussian, scale);
      const auto p = by_definition(gaussian, scale, gaussian ? static_cast<int>(15 * scale) + 20 : static_cast<int>(60 * scale) + 20);
      double variance = 0;
      for (const auto& [z, probability] : p) variance += probability * z * z;
      EXPECT_NEAR(noise.variance() / variance, 1, 1e-11) << gaussian << " " << scale;
      for (const int k : {0, 1, 2, 7, 40}) {
        double beyond = 0;
        for (const auto& [z, probability] : p) beyond += std::abs(z) > k ? probability : 0;
        if (beyond > 1e-12) {
          EXPECT_NEAR(noise.beyond(k) / beyond, 1, 1e-6) << gaussian << " " << scale << " " << k;
        }
      }
      EXPECT_EQ(noise.beyond(-1), 1);
    }
  }
}

TEST(DiscreteNoise, HasLessVarianceThanContinuousNoiseWhereItsScaleIsSmall) {
  EXPECT_NEAR(DiscreteNoise::gaussian(0.5).variance(), 0.21501267508813854, 1e-14);  // not 0.25
  EXPECT_NEAR(DiscreteNoise::geometric(0.5).variance() / 0.5, 0.7241, 1e-4);         // 2 s^2 is 0.5
  EXPECT_NEAR(DiscreteNoise::gaussian(4).variance(), 16, 1e-12);
}

TEST(DiscreteNoise, HasTheLeastQuantileThatKeepsTheLevel) {
  for (const bool gaussian : {true, false}) {
    for (const double scale : {0.2, 0.5, 3.0, 100.0, 1e20}) {
      const DiscreteNoise noise = noise_of(gaussian, scale);
      for (const std::size_t p : {std::size_t{1}, std::size_t{12}, std::size_t{100'000}}) {
        for (const double alpha : {0.5, 0.05, 1e-6}) {
          const double q = noise.max_quantile(p, alpha);
          const double each = -std::expm1(std::log1p(-alpha) / static_cast<double>(p));
          EXPECT_LE(noise.beyond(q), each * (1 + 1e-9)) << gaussian << " " << scale;
          if (q > 0 && q < 1e15) {
            EXPECT_GT(noise.beyond(q - 1), each) << gaussian << " " << scale;
          }
          if (q > 1e15) {
            EXPECT_GT(noise.beyond(q * (1 - 1e-6)), each) << gaussian << " " << scale;
          }
        }
      }
    }
  }
}

/// The largest difference of the frequencies of `draws` from these probabilities, in standard
/// errors; a fixed seed, so the test is deterministic.
double largest_deviation(const DiscreteNoise& noise, const std::map<int, double>& p, std::uint64_t seed) {
  constexpr std::size_t kDraws = 200'000;
  std::vector<double> drawn(kDraws);
  InsecureStream stream(seed, 0);
  noise.fill(stream, drawn);
  std::map<int, double> counts;
  for (const double value : drawn) {
    EXPECT_EQ(value, std::nearbyint(value));
    counts[static_cast<int>(value)] += 1;
  }
  double largest = 0;
  for (const auto& [z, probability] : p) {
    const double expected = probability * kDraws;
    if (expected >= 20) largest = std::max(largest, std::abs(counts[z] - expected) / std::sqrt(expected * (1 - probability)));
  }
  return largest;
}

TEST(DiscreteNoise, DrawsWithTheFrequenciesOfItsDefinition) {
  for (const bool gaussian : {true, false}) {
    for (const double scale : {0.5, 2.0, 20.0})
      EXPECT_LT(largest_deviation(noise_of(gaussian, scale), by_definition(gaussian, scale, 2000), 11), 4.5) << gaussian << " " << scale;
  }
}

TEST(DiscreteNoise, IsNotDrawnAsRoundedContinuousNoise) {
  // Planted fault: a scale that is a tenth too large, as one of rounded continuous noise would be.
  EXPECT_GT(largest_deviation(DiscreteNoise::gaussian(0.55), by_definition(true, 0.5, 50), 11), 10);
  EXPECT_GT(largest_deviation(DiscreteNoise::geometric(0.55), by_definition(false, 0.5, 100), 11), 10);
}

}  // namespace
}  // namespace tacet::numeric
