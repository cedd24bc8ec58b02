#include "tacet/planning/local_plan.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tacet/inference/counts/gof_simulation.h"

#include "support/promise.h"

namespace tacet::planning::local_plan_test {
namespace {

using inference::GofStatistic;
using inference::Simulation;
using mechanisms::LocalKind;

constexpr auto kProjected = GofStatistic::Projected;

double power_of_one_degree(double noncentrality) {
  const auto upper = [](double z) { return std::erfc(z / std::numbers::sqrt2) / 2; };
  const double root = std::sqrt(noncentrality);
  return upper(1.959963984540054 - root) + upper(1.959963984540054 + root);
}

// Two categories: the estimate of one proportion is normal, and its variance has a formula for
// every randomizer (Rogers 8.2.6, 8.2.11).
TEST(LocalGofPower, OfTwoCategoriesIsThatOfAProportion) {
  const double p = 0.4;
  const double delta = 0.03;
  const double n = 9000;
  const double epsilon = 1.2;
  const double e = std::exp(epsilon);
  const double half = std::exp(epsilon / 2);
  const double q = (p * e + (1 - p)) / (e + 1);
  const double f = 1 / (half + 1);
  struct Row {
    LocalKind kind;
    double parameter, variance;  // of the estimated proportion, times n
  };
  // The projected statistic takes half the difference of the two estimates.
  for (const Row& row :
       {Row{LocalKind::Exp, epsilon, q * (1 - q) * std::pow((e + 1) / (e - 1), 2)},
        Row{LocalKind::Flip, epsilon, p * (1 - p) + f * (1 - f) / std::pow(1 - 2 * f, 2) / 2},
        Row{LocalKind::Gaussian, 1.5, p * (1 - p) + 1.5 * 1.5 / 2}, Row{LocalKind::Laplace, 1.5, p * (1 - p) + 1.5 * 1.5}}) {
    const LocalGofPlan plan{{p, 1 - p}, {p + delta, 1 - p - delta}, {row.kind, row.parameter}, 0.05};
    EXPECT_NEAR(local_gof_power(plan, kProjected, n)->power, power_of_one_degree(n * delta * delta / row.variance), 1e-9) << name(row.kind);
  }
}

TEST(LocalGofPower, FindsTheBetterRandomizerByTheNumberOfCategories) {
  // At epsilon 1 exp and flip change places between 10 and 12 equal categories: exp has variance
  // (d - 2 + e)/(e - 1)^2 per category, flip sqrt(e)/(sqrt(e) - 1)^2, apart from sampling.
  const auto power = [](LocalKind kind, std::size_t d) {
    std::vector<double> null(d, 1.0 / static_cast<double>(d));
    std::vector<double> other = null;
    other[0] += 0.01;
    other[1] -= 0.01;
    return local_gof_power({null, other, {kind, 1}, 0.05}, kProjected, 50'000)->power;
  };
  for (const std::size_t d : {2U, 4U, 8U}) EXPECT_GT(power(LocalKind::Exp, d), power(LocalKind::Flip, d)) << d;
  for (const std::size_t d : {14U, 20U, 40U}) EXPECT_LT(power(LocalKind::Exp, d), power(LocalKind::Flip, d)) << d;
}

// Seven standard errors, and 0.015 for the local limit.
TEST(LocalGofPower, BySimulationIsThatOfTheLimitWherePeopleAreMany) {
  test::declare_false_alarm("planned power of local reports by simulation", 6e-11);
  const Simulation simulation{.draws = 9'999, .seed = test::suite_seed()};
  for (const mechanisms::LocalRandomizer& randomizer :
       {mechanisms::LocalRandomizer{LocalKind::Exp, 1}, {LocalKind::Flip, 1}, {LocalKind::Gaussian, 2}, {LocalKind::Laplace, 2}}) {
    const LocalGofPlan plan{{0.5, 0.3, 0.2}, {0.54, 0.28, 0.18}, randomizer, 0.05};
    const PlannedPower simulated = *local_gof_power(plan, kProjected, 8000, simulation);
    EXPECT_NEAR(simulated.power, local_gof_power(plan, kProjected, 8000)->power, 0.015 + 7 * *simulated.standard_error)
        << name(randomizer.kind);
  }
  const LocalIndependencePlan table{{2, 2}, {0.3, 0.2, 0.2, 0.3}, {LocalKind::Exp, 1}, 0.05};
  const PlannedPower simulated =
      *local_independence_plan_power(table, kProjected, 2000, Simulation{.draws = 1999, .seed = test::suite_seed()});
  EXPECT_NEAR(simulated.power, local_independence_plan_power(table, kProjected, 2000)->power, 0.02 + 7 * *simulated.standard_error);
}

TEST(LocalPlans, FindPeopleAndRefuseWhatDoesNotFit) {
  const LocalGofPlan plan{{0.5, 0.3, 0.2}, {0.54, 0.28, 0.18}, {LocalKind::Exp, 1}, 0.05};
  const double n = *people_for_power(local_gof_power_plan(plan), kProjected, 0.8);
  EXPECT_GE(local_gof_power(plan, kProjected, n)->power, 0.8);
  EXPECT_LT(local_gof_power(plan, kProjected, n - 1)->power, 0.8);
  const LocalIndependencePlan table{{2, 2}, {0.3, 0.2, 0.2, 0.3}, {LocalKind::Flip, 1}, 0.05};
  const double m = *people_for_power(local_independence_power_plan(table), kProjected, 0.8);
  EXPECT_GE(local_independence_plan_power(table, kProjected, m)->power, 0.8);
  EXPECT_EQ(local_independence_plan_power(table, GofStatistic::Classical, m).error().code(), Code::Unsupported);
  EXPECT_EQ(local_gof_power({{0.5, 0.5}, {0.5, 0.3, 0.2}, {LocalKind::Exp, 1}, 0.05}, kProjected, 100).error().name(), "alternative");
  EXPECT_EQ(local_gof_power(plan, kProjected, 0).error().name(), "n");
  LocalIndependencePlan wide = table;
  wide.shape = {2, 3};
  EXPECT_EQ(local_independence_plan_power(wide, kProjected, 100).error().name(), "alternative");
}

}  // namespace
}  // namespace tacet::planning::local_plan_test
