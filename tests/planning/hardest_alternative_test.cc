#include "tacet/planning/hardest_alternative.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tacet/planning/gof_plan.h"

namespace tacet::planning::hardest_alternative_test {
namespace {

using inference::GofStatistic;

GofPlan plan_of(std::vector<double> null, std::vector<double> alternative, double scale) {
  return {std::move(null), std::move(alternative), {kernel::NoiseFamily::Gaussian, scale, mechanisms::NoiseStructure::Independent}, 0.05};
}

TEST(HardestAlternative, IsThatOfThePaper) {
  const std::vector<double> p = *hardest_alternative({0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6}, 0.01);
  EXPECT_NEAR(p[0], 0.51, 1e-12);  // Rogers, Figure 17: 0.01 (1, -1/3, -1/3, -1/3)
  for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(p[i], 1.0 / 6 - 0.01 / 3, 1e-12);
}

TEST(HardestAlternative, IsFoundLessOftenThanAnyOtherOfItsLength) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const std::vector<double>& null : {std::vector<double>{0.4, 0.3, 0.2, 0.1}, {0.05, 0.6, 0.05, 0.1, 0.2}, {0.25, 0.25, 0.25, 0.25}}) {
    const std::vector<double> hardest = *hardest_alternative(null, 0.01);
    double length = 0;
    for (std::size_t i = 0; i < null.size(); ++i) length += std::pow(hardest[i] - null[i], 2);
    for (const double scale : {1.0, 30.0}) {
      const auto power = [&](const std::vector<double>& p) {
        return gof_plan_power(plan_of(null, p, scale), GofStatistic::Projected, 5000)->power;
      };
      const double least = power(hardest);
      for (int trial = 0; trial < 200; ++trial) {
        std::vector<double> change(null.size());
        double sum = 0;
        for (double& one : change) sum += one = normal(random);
        double square = 0;
        for (double& one : change) square += std::pow(one -= sum / static_cast<double>(null.size()), 2);
        std::vector<double> other = null;
        for (std::size_t i = 0; i < null.size(); ++i) other[i] += change[i] * std::sqrt(length / square);
        EXPECT_GE(power(other), least * (1 - 1e-9));
      }
    }
  }
}

TEST(HardestAlternative, LeavesProbabilitiesPositive) {
  EXPECT_EQ(hardest_alternative({0.5, 0.5}, 0.5).error().message(),
            "hardest is 0.5, but must be below 0.5, where a probability would vanish");
  EXPECT_EQ(hardest_alternative({0.5, 0.5}, 0).error().name(), "hardest");
  EXPECT_EQ(hardest_alternative(std::vector<double>(1001, 1.0 / 1001), 0.1).error().name(), "null");
}

// Rogers, Theorem 7.2.12, as printed.
TEST(GofPlanVariance, IsThatOfThePaper) {
  const GofPlan plan = plan_of({0.5, 0.3, 0.2}, {0.52, 0.29, 0.19}, 10);
  const double n = 3000;
  const double t = 100 / n;
  double first = 0;
  double second = 0;
  double shift = 0;
  double noisy_shift = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double p = plan.null[i];
    const double delta = std::sqrt(n) * (plan.alternative[i] - p);
    first += 1 / p;
    second += 1 / (p * p);
    shift += delta * delta / p;
    noisy_shift += delta * delta / (p * p);
  }
  const double printed = 2 * (2 + 2 * t * (first - 3) + t * t * second + 2 * (shift + t * noisy_shift));
  EXPECT_NEAR(*gof_plan_variance(plan, GofStatistic::Classical, n) / printed, 1, 1e-10);
  const double projected = *gof_plan_variance(plan, GofStatistic::Projected, n);
  EXPECT_NEAR(*gof_plan_variance(plan, GofStatistic::Nonprojected, n) - projected, 2, 1e-9) << "one more degree of freedom";
}

// Rogers, Table 3, last column: 10,000 trials each, so four standard errors are 0.0035 and 0.014.
TEST(GofNaiveLevel, IsThatOfTableThree) {
  const GofPlan plan = plan_of(std::vector<double>(100, 0.01), std::vector<double>(100, 0.01), std::sqrt(800.0));
  EXPECT_NEAR(*gof_naive_level(plan, 1e4), 1, 1e-3);
  EXPECT_NEAR(*gof_naive_level(plan, 1e5), 0.9923, 0.0035);
  EXPECT_NEAR(*gof_naive_level(plan, 1e6), 0.1441, 0.014);
  EXPECT_NEAR(*gof_naive_level(plan, 1e13), 0.05, 1e-3) << "noise that vanishes beside sampling";
}

}  // namespace
}  // namespace tacet::planning::hardest_alternative_test
