// What is drawn is a noisy table: counts of n people, noise of the family, scale, grid and
// structure that was asked for.
#include "tacet/inference/counts/noisy_tables.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tacet/inference/monte_carlo.h"

#include "support/promise.h"

namespace tacet::inference::noisy_tables_test {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseStructure;

constexpr std::size_t kTables = 256;
const std::vector<double> kNull = {0.5, 0.3, 0.15, 0.05};

struct Drawn {
  std::vector<double> deviations, sums;
};

Drawn draw_some(const NoisyTables& tables, std::uint64_t index) {
  Drawn drawn{std::vector<double>(tables.cells() * kTables), std::vector<double>(kTables)};
  numeric::InsecureStream stream(test::suite_seed(), index);
  tables.draw(stream, kTables, drawn.deviations, drawn.sums);
  return drawn;
}

TEST(NoisyTables, KeepTheTotalWhereTheNoiseDoes) {
  const NoisyTables tables(1000, kNull, {{NoiseFamily::Gaussian, 30, NoiseStructure::SumZero}});
  const Drawn drawn = draw_some(tables, 0);
  for (std::size_t t = 0; t < kTables; ++t) {
    double sum = 0;
    for (std::size_t i = 0; i < kNull.size(); ++i) sum += drawn.deviations[i * kTables + t];
    EXPECT_NEAR(sum, 0, 1e-9);
    EXPECT_EQ(drawn.sums[t], 0);
  }
}

TEST(NoisyTables, LieOnTheGridAndTellTheirSums) {
  for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
    const NoisyTables tables(1000, kNull, {{family, 7, NoiseStructure::Independent}, 0.25});
    const Drawn drawn = draw_some(tables, 1);
    for (std::size_t t = 0; t < kTables; ++t) {
      double sum = 0;
      for (std::size_t i = 0; i < kNull.size(); ++i) {
        const double value = drawn.deviations[i * kTables + t] + tables.expected()[i];
        EXPECT_EQ(4 * value, std::nearbyint(4 * value));
        sum += drawn.deviations[i * kTables + t];
      }
      EXPECT_NEAR(drawn.sums[t], sum, 1e-9);
    }
  }
}

// 256,000 tables; second moments to 1.5 %: would catch a scale that is off by 1 % or a lost
// covariance of the counts.
TEST(NoisyTables, HaveTheMomentsOfCountsAndNoise) {
  test::declare_false_alarm("moments of noisy tables", 1e-8);
  const double n = 400;
  for (const auto& law : {mechanisms::NoiseDistribution{NoiseFamily::Gaussian, 9, NoiseStructure::Independent},
                          mechanisms::NoiseDistribution{NoiseFamily::Laplace, 6, NoiseStructure::Independent},
                          mechanisms::NoiseDistribution{NoiseFamily::Gaussian, 9, NoiseStructure::SumZero}}) {
    const double variance = law.scale * law.scale * (law.family == NoiseFamily::Laplace ? 2 : 1);
    const NoisyTables tables(n, kNull, {law});
    const int blocks = static_cast<int>(1000 / test::coarseness());
    const double count = blocks * static_cast<double>(kTables);
    std::vector<double> products(16);
    for (int block = 0; block < blocks; ++block) {
      const Drawn drawn = draw_some(tables, 10 + static_cast<std::uint64_t>(block));
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
          products[4 * i + j] += std::inner_product(drawn.deviations.begin() + static_cast<std::ptrdiff_t>(i * kTables),
                                                    drawn.deviations.begin() + static_cast<std::ptrdiff_t>((i + 1) * kTables),
                                                    drawn.deviations.begin() + static_cast<std::ptrdiff_t>(j * kTables), 0.0);
        }
      }
    }
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const double counts = n * ((i == j ? kNull[i] : 0) - kNull[i] * kNull[j]);
        const double kept = law.structure == NoiseStructure::SumZero ? 0.25 : 0;
        const double own = n * kNull[i] + variance;
        const double other = n * kNull[j] + variance;
        // A product of two cells varies by less than sqrt(6) times the product of their deviations,
        // kurtosis 6 being that of Laplace noise.
        EXPECT_NEAR(products[4 * i + j] / count, counts + variance * ((i == j ? 1 : 0) - kept), 6.6 * std::sqrt(6 * own * other / count));
      }
    }
  }
}

TEST(NoiseSource, ForgetsAGridTooFineToBeSeen) {
  mechanisms::CountRelease release{};
  release.noise = {NoiseFamily::Gaussian, 10, NoiseStructure::Independent};
  release.grid = 0x1p-10;
  EXPECT_EQ(noise_source(release).grid, 0x1p-10);
  release.grid = 0x1p-40;
  EXPECT_FALSE(noise_source(release).grid);
}

TEST(CheckSimulated, NamesWhatIsTooLarge) {
  EXPECT_TRUE(check_simulated(2, 1).ok());
  EXPECT_EQ(check_simulated(2, 0).error().name(), "n");
  EXPECT_EQ(check_simulated(2, 0x1p51).error().name(), "n");
  EXPECT_EQ(check_simulated(kMostSimulatedCells + 1, 10).error().code(), Code::Unsupported);
}

}  // namespace
}  // namespace tacet::inference::noisy_tables_test
