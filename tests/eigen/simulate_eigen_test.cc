// The noise of ED in simulations has the distribution of the release.
#include "tacet/eigen/simulate_eigen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/mechanisms/noisy_values.h"

#include "eigen/planned_eigen.h"
#include "kernel/purse.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::eigen::simulate_eigen_test {
namespace {

using mechanisms::Matrix;

TEST(SimulateEigen, RefusesWhatIsNoMatrixOrNoNoise) {
  numeric::InsecureStream stream(1, 0);
  EXPECT_EQ(simulate_eigen({2, 1, {1, 2}}, {1, 1}, stream).error().message(),
            "matrix is 2 x 1, but must be a square matrix of 1 to 64 columns");
  EXPECT_EQ(simulate_eigen({1, 1, {1}}, {0, 1}, stream).error().message(), "scale is 0, but must be greater than 0");
  EXPECT_EQ(simulate_eigen({1, 1, {1}}, {1, -1}, stream).error().message(), "concentration is -1, but must be greater than 0");
}

TEST(SimulateEigen, AbsoluteEigenvaluesMakeACovariance) {
  numeric::InsecureStream stream(2, 0);
  bool negative = false;
  for (int i = 0; i < 100; ++i) {
    negative = negative || simulate_eigen({1, 1, {0.1}}, {.scale = 1, .concentration = 1}, stream)->values[0] < 0;
    EXPECT_GE(simulate_eigen({1, 1, {0.1}}, {.scale = 1, .concentration = 1, .absolute = true}, stream)->values[0], 0);
    const Matrix two = *simulate_eigen({2, 2, {1, 0.5, 0.5, 1}}, {.scale = 1, .concentration = 1, .absolute = true}, stream);
    EXPECT_NEAR(two.at(0, 1), two.at(1, 0), 1e-12);
    EXPECT_GE(two.at(0, 0) * two.at(1, 1) - two.at(0, 1) * two.at(1, 0), -1e-12);
  }
  EXPECT_TRUE(negative);
}

// A matrix without noise to speak of is what it was.
TEST(SimulateEigen, LittleNoiseChangesLittle) {
  numeric::InsecureStream stream(3, 0);
  const Matrix given{3, 3, {5, 1, 0, 1, 3, 0.5, 0, 0.5, 1}};
  const Matrix noisy = *simulate_eigen(given, {.scale = 1e-9, .concentration = 1e12}, stream);
  for (std::size_t i = 0; i < given.values.size(); ++i) EXPECT_NEAR(noisy.values[i], given.values[i], 1e-4);
}

/// Second moments of two columns of half width 1000 steps.
constexpr Int128 kSteps = 1000;
constexpr double kSquare = 30e6, kProduct = 15e6, kOther = 20e6;

/// In which part of the plane a noisy matrix lies: cells of the first square and of the product.
constexpr std::size_t kCells = 9;
std::size_t cell_of(double square, double product) {
  const auto third = [](double value, double low, double high) -> std::size_t { return value < low ? 0 : value < high ? 1 : 2; };
  return third(square, 25e6, 35e6) * 3 + third(product, 9e6, 18e6);
}

using Counts = std::array<std::uint64_t, kCells>;
constexpr std::uint64_t kDraws = 20'000;

/// The largest difference of two counts, over what chance allows.
double excess(const Counts& first, const Counts& second, double false_alarm) {
  double most = 0;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    const double difference = std::abs(static_cast<double>(first[cell]) - static_cast<double>(second[cell]));
    most = std::max(most, difference / test::two_sample_threshold(first[cell] + second[cell], kCells, false_alarm));
  }
  return most;
}

Counts simulated(const EigenNoise& noise) {
  constexpr double kUnit = 2.0 * static_cast<double>(kSteps * kSteps);  // d m^2
  const Matrix scaled{2, 2, {kSquare / kUnit, kProduct / kUnit, kProduct / kUnit, kOther / kUnit}};
  numeric::InsecureStream stream(test::suite_seed(), 1);
  Counts counts{};
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const Matrix noisy = *simulate_eigen(scaled, noise, stream);
    ++counts[cell_of(noisy.at(0, 0) * kUnit, noisy.at(0, 1) * kUnit)];
  }
  return counts;
}

// Directions that are half as concentrated change the share of a cell by 0.08: by 1,600 draws of
// 20,000, where 600 are too many. They are missed with probability below 10^-9 (Hoeffding).
TEST(SimulateEigen, HasTheDistributionOfTheRelease) {
  constexpr double kFalseAlarm = 1e-9;
  test::declare_false_alarm("simulate_eigen", kFalseAlarm);
  test::declare_false_alarm("simulate_eigen, planted", 1e-9);
  testing::Purse purse;
  test::InsecureSeededBits bits(7);
  const kernel::BoxSensitivity box{kernel::Relation::ReplaceOne, {kSteps * kSteps, 2 * kSteps * kSteps, kSteps * kSteps}, 1, 1, 2};
  const std::vector<Int128> moments = {static_cast<Int128>(kSquare), static_cast<Int128>(kProduct), static_cast<Int128>(kOther)};
  Counts released{};
  EigenNoise noise{};
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const auto out =
        testing::release_planned_eigen(testing::sealed(moments, box), {1}, purse.grant(testing::epsilon_loss("1"), true), bits);
    ASSERT_TRUE(out.ok()) << out.error().message();
    const NoisyEigen& noisy = out->value();
    noise = {.scale = noisy.plan.eigenvalue_scale, .concentration = noisy.plan.concentration};
    ++released[cell_of(mechanisms::value_of(noisy.numbers, 0), mechanisms::value_of(noisy.numbers, 1))];
  }
  EXPECT_LT(excess(released, simulated(noise), kFalseAlarm), 1);
  noise.concentration /= 2;
  EXPECT_GT(excess(released, simulated(noise), kFalseAlarm), 1);
}

}  // namespace
}  // namespace tacet::eigen::simulate_eigen_test
