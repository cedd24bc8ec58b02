// Hypotheses with open parameters: their probabilities, Jacobians and first guesses.
#include "tacet/inference/counts/null_model.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::inference {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;

TEST(IndependentMargins, AreProductsWithSumOne) {
  const IndependentMargins model(2, 3);
  std::vector<double> p(6);
  ASSERT_TRUE(model.probabilities(std::vector{std::log(3.0), std::log(2.0), std::log(5.0)}, p));
  const std::vector<double> rows = {0.25, 0.75};
  const std::vector<double> columns = {0.125, 0.25, 0.625};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(p[3 * i + j], rows[i] * columns[j], 1e-15);
}

TEST(IndependentMargins, HaveTheJacobianThatDifferencesShow) {
  const IndependentMargins model(3, 4);
  const std::vector<double> theta = {0.3, -1.2, 0.8, 2, -0.5};
  std::vector<double> p(12);
  std::vector<double> jacobian(60);
  ASSERT_TRUE(model.probabilities(theta, p));
  model.jacobian(theta, p, jacobian);
  constexpr double kStep = 1e-5;
  for (std::size_t k = 0; k < 5; ++k) {
    std::vector<double> moved = theta;
    std::vector<double> above(12);
    std::vector<double> below(12);
    moved[k] = theta[k] + kStep;
    model.probabilities(moved, above);
    moved[k] = theta[k] - kStep;
    model.probabilities(moved, below);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(jacobian[5 * i + k], (above[i] - below[i]) / (2 * kStep), 1e-10);
  }
}

TEST(IndependentMargins, HaveProductsWithoutTheJacobianThatAgreeWithIt) {
  const IndependentMargins model(3, 11);
  std::vector<double> theta(12);
  std::vector<double> x(12);
  std::vector<double> p(33);
  std::vector<double> f(33);
  std::vector<double> weights(33);
  for (std::size_t k = 0; k < 12; ++k) {
    theta[k] = std::sin(3.0 * static_cast<double>(k));
    x[k] = std::cos(5.0 * static_cast<double>(k));
  }
  for (std::size_t i = 0; i < 33; ++i) {
    f[i] = std::sin(7.0 * static_cast<double>(i));
    weights[i] = 1.5 + std::cos(2.0 * static_cast<double>(i));
  }
  ASSERT_TRUE(model.probabilities(theta, p));
  const auto quick = model.derivative();
  DenseDerivative dense(model);
  quick->at(theta, p);
  dense.at(theta, p);
  // The quick one has directions for the first row and the first column too: 0 and 3.
  ASSERT_EQ(quick->directions(), 14);
  const auto of_parameter = [](std::size_t k) { return k < 2 ? k + 1 : k + 2; };
  std::vector<double> direction(14, 0.0);
  for (std::size_t k = 0; k < 12; ++k) direction[of_parameter(k)] = x[k];
  const auto agree = [&](double error, const auto& quick_product, const auto& dense_product) {
    std::vector<double> ours(14);
    std::vector<double> theirs(12);
    quick_product(ours);
    dense_product(theirs);
    for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(ours[of_parameter(k)], theirs[k], error) << k;
  };
  agree(1e-15, [&](auto& out) { quick->transposed(f, out); }, [&](auto& out) { dense.transposed(f, out); });
  agree(1e-15, [&](auto& out) { quick->weighted(weights, direction, out); }, [&](auto& out) { dense.weighted(weights, x, out); });
  agree(1e-15, [&](auto& out) { quick->diagonal(weights, out); }, [&](auto& out) { dense.diagonal(weights, out); });
  agree(
      1e-9, [&](auto& out) { quick->second_derivative(f, direction, out); },
      [&](auto& out) { dense.second_derivative(f, x, out); });  // by differences

  // A step along all rows alike moves nothing.
  std::vector<double> moved(12);
  direction.assign(14, 0.25);
  quick->move(theta, direction, moved);
  EXPECT_EQ(moved, theta);
}

TEST(IndependentMargins, GuessTheMarginsOfATable) {
  const IndependentMargins model(2, 3);
  const std::vector<double> table = {10, 20, 30, 40, 50, 60};
  std::vector<double> p(6);
  ASSERT_TRUE(model.probabilities(model.guess(table), p));
  EXPECT_NEAR(p[0], 60.0 / 210 * 50 / 210, 1e-14);
  EXPECT_NEAR(p[5], 150.0 / 210 * 90 / 210, 1e-14);
}

TEST(IndependentMargins, GuessSomethingPossibleFromAnything) {
  const IndependentMargins model(2, 2);
  std::vector<double> p(4);
  for (const auto& table : std::vector<std::vector<double>>{{-10, -20, -30, -40}, {0, 0, 0, 0}, {1e300, -1, -1, 1}, {1, 2, -50, -60}}) {
    ASSERT_TRUE(model.probabilities(model.guess(table), p));
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
    for (const double cell : p) EXPECT_GT(cell, 0);
  }
}

TEST(IndependentMargins, AreNotDefinedBeyondTheirSpace) {
  const IndependentMargins model(2, 2);
  std::vector<double> p(4);
  EXPECT_FALSE(model.probabilities(std::vector<double>{61, 0}, p));
  EXPECT_FALSE(model.probabilities(std::vector<double>{0, -INFINITY}, p));
  EXPECT_FALSE(model.probabilities(std::vector<double>{std::nan(""), 0}, p));
}

TEST(FixedNull, HasNoParameterAndItsProbabilities) {
  const FixedNull model({0.25, 0.25, 0.25, 0.25});
  std::vector<double> p(4);
  EXPECT_EQ(model.parameters(), 0);
  EXPECT_TRUE(model.guess(p).empty());
  EXPECT_TRUE(model.probabilities({}, p));
  EXPECT_THAT(p, Each(DoubleNear(0.25, 0)));
}

}  // namespace
}  // namespace tacet::inference
