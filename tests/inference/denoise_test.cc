#include "tacet/inference/estimates/denoise.h"

#include <cmath>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::inference::denoise_test {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;
using ::testing::HasSubstr;

constexpr double kScale = 3;
constexpr double kTotal = 100;
const std::vector<double> kTruth = {31, 0, 4, 22, 0, 9, 27, 7};
const std::vector<double> kPast = {25, 2, 6, 20, 1, 8, 30, 5};  // a target

NoiseDistribution law(NoiseStructure structure) { return {NoiseFamily::Gaussian, kScale, structure}; }

std::string shown(NoiseStructure structure, const DenoiseOptions& options) {
  return fmt::format("{} noise, shrink {}, project {}{}", structure == NoiseStructure::SumZero ? "sum-zero" : "independent",
                     name(options.shrink), name(options.project), options.target.empty() ? "" : ", with a target");
}

std::vector<double> noisy(NoiseStructure structure, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, kScale);
  std::vector<double> y = kTruth;
  for (double& value : y) value += normal(random);
  if (structure == NoiseStructure::Independent) return y;
  const double excess = (std::accumulate(y.begin(), y.end(), 0.0) - kTotal) / static_cast<double>(y.size());
  for (double& value : y) value -= excess;
  return y;
}

struct Case {
  NoiseStructure structure;
  DenoiseOptions options;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const NoiseStructure structure : {NoiseStructure::Independent, NoiseStructure::SumZero}) {
    for (const Shrinkage shrinkage :
         {Shrinkage::None, Shrinkage::TowardsZero, Shrinkage::TowardsMean, Shrinkage::PositivePart, Shrinkage::RankDeficient}) {
      if (structure == NoiseStructure::SumZero && shrinkage == Shrinkage::TowardsZero) continue;
      all.push_back({structure, {shrinkage, Projection::None, {}}});
      all.push_back({structure, {shrinkage, Projection::Nonnegative, {}}});
      all.push_back({structure, {shrinkage, Projection::Simplex, {}}});
      all.push_back({structure, {shrinkage, Projection::Bounds, Bounds{0, 29}}});
    }
    for (const Shrinkage shrinkage : {Shrinkage::TowardsMean, Shrinkage::PositivePart, Shrinkage::RankDeficient}) {
      all.push_back({structure, {shrinkage, Projection::None, {}, kPast}});
      all.push_back({structure, {shrinkage, Projection::Simplex, {}, kPast}});
    }
  }
  return all;
}

std::vector<double> denoised(const std::vector<double>& y, const Case& at) {
  return denoise(y, law(at.structure), kTotal, at.options)->values;
}

bool uses_total(const Case& at) {
  return at.structure == NoiseStructure::SumZero || at.options.shrink == Shrinkage::RankDeficient ||
         (at.options.project == Projection::Simplex && at.options.shrink != Shrinkage::TowardsZero);
}

/// Stein's estimate from derivatives by central differences, along each cell or, where the total is
/// kept, across 1.
double stein_by_differences(const std::vector<double>& y, const Case& at) {
  constexpr double kStep = 1e-5;
  const auto p = static_cast<double>(y.size());
  const bool kept = uses_total(at);
  const double excess = kept ? (std::accumulate(y.begin(), y.end(), 0.0) - kTotal) / p : 0;
  double trace = 0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    std::vector<double> up = y;
    std::vector<double> down = y;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double direction = (i == j ? 1.0 : 0.0) - (kept ? 1 / p : 0);
      up[i] += kStep * direction;
      down[i] -= kStep * direction;
    }
    trace += (denoised(up, at)[j] - denoised(down, at)[j]) / (2 * kStep);
  }
  const std::vector<double> landed = denoised(y, at);
  double move = 0;
  for (std::size_t i = 0; i < y.size(); ++i) move += std::pow(landed[i] - (y[i] - excess), 2);
  return move + kScale * kScale * (2 * trace - (kept ? p - 1 : p));
}

TEST(UnbiasedCost, IsSteinsFormulaWithDerivativesByDifferences) {
  std::mt19937_64 random(test::suite_seed());
  for (const Case& at : cases()) {
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<double> y = noisy(at.structure, random);
      const auto result = denoise(y, law(at.structure), kTotal, at.options);
      ASSERT_TRUE(result.ok()) << result.error().message();
      EXPECT_NEAR(*result->unbiased_cost, stein_by_differences(y, at), 1e-5) << shown(at.structure, at.options);
    }
  }
}

/// The mean and its standard error of what `of` says about many noisy tables.
template <class F>
std::pair<double, double> mean_of(const Case& at, int trials, const F& of) {
  std::mt19937_64 random(test::suite_seed() + 1);
  double mean = 0;
  double squares = 0;
  for (int trial = 1; trial <= trials; ++trial) {
    const std::vector<double> y = noisy(at.structure, random);
    const double value = of(y, *denoise(y, law(at.structure), kTotal, at.options));
    const double from_mean = value - mean;
    mean += from_mean / trial;
    squares += from_mean * (value - mean);
  }
  return {mean, std::sqrt(squares / (trials - 1.0) / trials)};
}

double squared_error(const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += (values[i] - kTruth[i]) * (values[i] - kTruth[i]);
  return sum;
}

/// Stein's estimate minus the squared error, with the noise's own squared error, whose expectation
/// is known, to steady it.
double surplus(const std::vector<double>& y, const Denoised& result, const Case& at) {
  return *result.unbiased_cost - squared_error(result.values) + squared_error(y) - noise_cost(law(at.structure), y.size());
}

// 7 standard errors of 20,000 differences, which are nearly normal in the mean: 2.6e-12 each and 36
// of them, enlarged by less than 5 for their skewness, measured as at most 2.8. It would catch a
// bias of 14 standard errors, at most 14/9 of s^2 = 9; a direction that is forgotten in a trace
// makes 2 s^2.
TEST(UnbiasedCost, IsRightOnAverageForEveryShrinkageAndProjection) {
  test::declare_false_alarm("Stein's estimate", 1e-9);
  for (const Case& at : cases()) {
    const auto [mean, error] = mean_of(at, 20'000, [&at](const auto& y, const Denoised& result) { return surplus(y, result, at); });
    EXPECT_NEAR(mean, 0, 7 * error + 1e-9) << shown(at.structure, at.options);
    EXPECT_LT(error, kScale * kScale / 9) << shown(at.structure, at.options);
    RecordProperty(shown(at.structure, at.options), fmt::format("{} +- {}", mean, error));
  }
}

TEST(UnbiasedCost, OnAverageTellsAForgottenDirectionFromTheTruth) {
  test::declare_false_alarm("planted fault in Stein's estimate", 1e-9);
  for (const Case& at : cases()) {
    const auto [mean, error] =
        mean_of(at, 20'000, [&at](const auto& y, const Denoised& result) { return surplus(y, result, at) - 2 * kScale * kScale; });
    EXPECT_LT(mean, -14 * error) << shown(at.structure, at.options);
  }
}

TEST(CostBound, IsNeverBelowTheMeanSquaredError) {
  test::declare_false_alarm("bounds of the squared error", 1e-9);
  for (const Case& at : cases()) {
    const auto [mean, error] =
        mean_of(at, 5000, [](const auto&, const Denoised& result) { return squared_error(result.values) - result.cost_bound; });
    EXPECT_LT(mean, 7 * error) << shown(at.structure, at.options);
  }
}

TEST(CostBound, IsTheCostOfTheNoiseThatIsLeft) {
  const std::vector<double> y = {4, 3, 2, 1, 5, 9};
  const NoiseDistribution independent{NoiseFamily::Gaussian, 2, NoiseStructure::Independent};
  EXPECT_DOUBLE_EQ(denoise(y, independent, 24, {})->cost_bound, 24);
  EXPECT_DOUBLE_EQ(*denoise(y, independent, 24, {})->unbiased_cost, 24);
  EXPECT_DOUBLE_EQ(denoise(y, independent, 24, {.shrink = Shrinkage::TowardsMean})->cost_bound, 24);
  EXPECT_DOUBLE_EQ(denoise(y, independent, 24, {.shrink = Shrinkage::RankDeficient})->cost_bound, 20);
  const NoiseDistribution laplace{NoiseFamily::Laplace, 2, NoiseStructure::Independent};
  EXPECT_DOUBLE_EQ(denoise(y, laplace, 24, {})->cost_bound, 48);
  EXPECT_FALSE(denoise(y, laplace, 24, {.project = Projection::Simplex})->unbiased_cost.has_value());
}

TEST(Denoise, ShrinksFirstAndProjectsThen) {
  const std::vector<double> y = {40, -3, 8, 2, 55, -1};
  const NoiseDistribution gaussian{NoiseFamily::Gaussian, 5, NoiseStructure::Independent};
  const auto both = denoise(y, gaussian, 100, {.shrink = Shrinkage::TowardsMean, .project = Projection::Simplex});
  EXPECT_EQ(both->values, project_onto_simplex(shrink(y, gaussian, 100, Shrinkage::TowardsMean)->values, 100));
}

TEST(Denoise, OfExtremesIsFinite) {
  const std::vector<double> y = {1e100, -1e100, 1e-100, 0, 5, 6};
  for (const double scale : {1e-100, 1.0, 1e100}) {
    for (const Case& at : cases()) {
      DenoiseOptions options = at.options;
      if (!options.target.empty()) options.target.resize(y.size());
      const auto result = denoise(y, {NoiseFamily::Gaussian, scale, at.structure}, 12, options);
      ASSERT_TRUE(result.ok());
      EXPECT_TRUE(std::isfinite(*result->unbiased_cost)) << shown(at.structure, at.options) << " " << scale;
    }
  }
}

TEST(Denoise, RefusesProjectionsThatLackWhatTheyNeed) {
  const std::vector<double> y = {1, 2, 3};
  const NoiseDistribution gaussian{NoiseFamily::Gaussian, 5, NoiseStructure::Independent};
  EXPECT_EQ(denoise(y, gaussian, {}, {.project = Projection::Simplex}).error().name(), "project");
  EXPECT_THAT(denoise(y, gaussian, 6, {.project = Projection::Bounds}).error().message(), HasSubstr("bounds is missing"));
  EXPECT_EQ(denoise(y, gaussian, 6, {.project = Projection::Nonnegative, .bounds = Bounds{0, 1}}).error().name(), "bounds");
  for (const Bounds& bounds : {Bounds{1, 0}, Bounds{std::nan(""), 1}}) {
    EXPECT_THAT(denoise(y, gaussian, 6, {.project = Projection::Bounds, .bounds = bounds}).error().rule(),
                HasSubstr("the smaller one first"));
  }
}

}  // namespace
}  // namespace tacet::inference::denoise_test
