#include "tacet/planning/homogeneity_plan.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::planning::homogeneity_plan_test {
namespace {

using inference::GofStatistic;
using inference::Projection;
using inference::Shrinkage;
using inference::Simulation;
using kernel::NoiseFamily;
using mechanisms::NoiseStructure;

constexpr auto kProjected = GofStatistic::Projected;
constexpr auto kClassical = GofStatistic::Classical;

mechanisms::NoiseDistribution gaussian(double scale) { return {NoiseFamily::Gaussian, scale, NoiseStructure::Independent}; }

/// P[chi2_1(noncentrality) > 1.959963984540054^2].
double power_of_one_degree(double noncentrality) {
  const auto upper = [](double z) { return std::erfc(z / std::numbers::sqrt2) / 2; };
  const double root = std::sqrt(noncentrality);
  return upper(1.959963984540054 - root) + upper(1.959963984540054 + root);
}

// Two cells: the difference of two proportions is normal, and everything has a formula.
TEST(HomogeneityPlanPower, OfTwoGroupsWithTwoCellsIsThatOfADifferenceOfProportions) {
  const double p = 0.35;  // pooled
  const double delta = 0.05;
  const double n = 1200;  // of each group
  const double s = 12;
  HomogeneityPlan plan{.alternative = {{p + delta / 2, 1 - p - delta / 2}, {p - delta / 2, 1 - p + delta / 2}},
                       .shares = {1, 1},
                       .noise = gaussian(s),
                       .alpha = 0.05};
  // The noise of a proportion: of a cell less the mean of both, or, if the noisy total divides it,
  // (1 - p) Z_1 - p Z_2.
  const double sampling = p * (1 - p) / n;
  const double known = 2 * (sampling + s * s / 2 / (n * n));
  EXPECT_NEAR(homogeneity_plan_power(plan, kProjected, 2 * n)->power, power_of_one_degree(delta * delta / known), 1e-9);
  plan.n_public = false;
  const double unknown = 2 * (sampling + s * s * (p * p + (1 - p) * (1 - p)) / (n * n));
  EXPECT_NEAR(homogeneity_plan_power(plan, kProjected, 2 * n)->power, power_of_one_degree(delta * delta / unknown), 1e-9);
  EXPECT_EQ(homogeneity_plan_power(plan, kProjected, 2 * n)->standard_error, std::nullopt);
}

const HomogeneityPlan kPlan{
    .alternative = {{0.5, 0.3, 0.2}, {0.47, 0.3, 0.23}, {0.52, 0.28, 0.2}}, .shares = {2, 1, 1}, .noise = gaussian(10), .alpha = 0.05};

// Seven standard errors, and 0.015 for the local limit; sees a power that is off by 0.06.
TEST(HomogeneityPlanPower, BySimulationIsThatOfTheLimitWherePeopleAreMany) {
  test::declare_false_alarm("planned power of groups by simulation", 2e-11);
  const Simulation simulation{.draws = 19'999, .seed = test::suite_seed()};
  for (const bool n_public : {true, false}) {
    HomogeneityPlan plan = kPlan;
    plan.n_public = n_public;
    const PlannedPower simulated = *homogeneity_plan_power(plan, kProjected, 8000, simulation);
    EXPECT_NEAR(simulated.power, homogeneity_plan_power(plan, kProjected, 8000)->power, 0.015 + 7 * *simulated.standard_error);
    EXPECT_LT(*simulated.standard_error, 0.01);
  }
}

TEST(HomogeneityPlanPower, HasPeopleForAPowerByBothMethods) {
  const PowerPlan plan = homogeneity_power_plan(kPlan);
  const double n = *people_for_power(plan, kProjected, 0.8);
  EXPECT_GE(homogeneity_plan_power(kPlan, kProjected, n)->power, 0.8);
  EXPECT_LT(homogeneity_plan_power(kPlan, kProjected, n - 1)->power, 0.8);
  const Simulation simulation{.draws = 999, .seed = test::suite_seed()};
  EXPECT_GE(homogeneity_plan_power(kPlan, kClassical, *people_for_power(plan, kClassical, 0.8, simulation), simulation)->power, 0.8);
}

// Lee's Figures 11 and 12: heavy noise (p = 18, mu = 0.1, a thousand people in each group). The
// projected statistic finds what the classical one of denoised tables hardly sees.
TEST(HomogeneityPlanPower, OfDenoisedTablesIsSimulatedAndLessThanThatOfTheProjectedStatistic) {
  test::declare_false_alarm("planned power on denoised tables", 1e-10);
  HomogeneityPlan plan{.alternative = {std::vector<double>(18, 1.0 / 18), std::vector<double>(18, 1.0 / 18)},
                       .shares = {1, 1},
                       .noise = gaussian(std::sqrt(2.0) / 0.1),
                       .alpha = 0.05,
                       .denoise = {Shrinkage::TowardsMean, Projection::Nonnegative}};
  for (std::size_t j = 0; j < 18; ++j) plan.alternative[1][j] *= j < 9 ? 1.4 : 0.6;
  EXPECT_EQ(homogeneity_plan_power(plan, kClassical, 2000).error().code(), Code::Unsupported);
  const Simulation simulation{.draws = 1999, .seed = test::suite_seed()};
  const PlannedPower denoised = *homogeneity_plan_power(plan, kClassical, 2000, simulation);
  const PlannedPower projected = *homogeneity_plan_power(plan, kProjected, 2000, simulation);
  EXPECT_GT(projected.power, denoised.power - 7 * (*denoised.standard_error + *projected.standard_error));
  EXPECT_GT(projected.power, 0.2);
}

TEST(HomogeneityPlan, RefusesWhatDoesNotFit) {
  const auto refused = [](const HomogeneityPlan& plan) { return check_homogeneity_plan(plan).error().message(); };
  HomogeneityPlan plan = kPlan;
  plan.shares = {1, 1};
  EXPECT_EQ(refused(plan), "shares is 2 numbers, but must be one for each of the 3 groups; for example: shares = 1,1");
  plan.shares = {1, 1, 0};
  EXPECT_EQ(refused(plan), "shares is 0, but must be numbers greater than 0, from 1e-6 to 1e6");
  plan = kPlan;
  plan.alternative[1] = {0.5, 0.5};
  EXPECT_EQ(refused(plan), "alternative is groups with different cells, but must have the same cells in every group");
  plan.alternative = {{0.5, 0.5}};
  EXPECT_EQ(
      refused(plan),
      "alternative is 1 group, but must have 2 to 1000 groups, a list of probabilities each; for example [[0.5, 0.3, 0.2], [0.4, 0.4, "
      "0.2]]");
  plan = kPlan;
  plan.alternative[0] = {0.5, 0.3, 0.1};
  EXPECT_EQ(check_homogeneity_plan(plan).error().name(), "alternative");
  EXPECT_EQ(homogeneity_plan_power(kPlan, GofStatistic::Nonprojected, 100).error().code(), Code::Unsupported);
  EXPECT_EQ(homogeneity_plan_power(kPlan, kProjected, 0).error().name(), "n");
}

}  // namespace
}  // namespace tacet::planning::homogeneity_plan_test
