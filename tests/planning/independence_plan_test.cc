#include "tacet/planning/independence_plan.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::planning::independence_plan_test {
namespace {

using inference::GofStatistic;
using inference::Simulation;
using kernel::NoiseFamily;
using mechanisms::NoiseStructure;

constexpr std::array kAll = {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected};
const IndependencePlan kPlan{.shape = {2, 2},
                             .alternative = {0.27, 0.23, 0.23, 0.27},
                             .noise = {NoiseFamily::Gaussian, 10, NoiseStructure::Independent},
                             .alpha = 0.05};

TEST(IndependencePlan, FindsTheLeastNumberOfPeopleThatIsEnough) {
  for (const GofStatistic statistic : kAll) {
    const double n = *people_for_power(independence_power_plan(kPlan), statistic, 0.8);
    EXPECT_GE(independence_plan_power(kPlan, statistic, n)->power, 0.8);
    EXPECT_LT(independence_plan_power(kPlan, statistic, n - 1)->power, 0.8);
  }
}

// 0.02 for the covariance of the alternative, which the local law takes from the null; seven
// standard errors. Sees a power that is off by 0.07.
TEST(IndependencePlan, SimulationAgreesWithTheLawsWherePeopleAreMany) {
  test::declare_false_alarm("planned power of independence by simulation", 4e-11);
  for (const mechanisms::NoiseDistribution& noise : {kPlan.noise, {NoiseFamily::Laplace, 7, NoiseStructure::Independent}}) {
    IndependencePlan plan = kPlan;
    plan.noise = noise;
    for (const GofStatistic statistic : kAll) {
      const PlannedPower simulated = *independence_plan_power(plan, statistic, 1200, Simulation{.draws = 9999, .seed = test::suite_seed()});
      EXPECT_NEAR(simulated.power, independence_plan_power(plan, statistic, 1200)->power, 0.02 + 7 * *simulated.standard_error);
      EXPECT_GT(simulated.standard_error, 0.002);
    }
  }
}

// One simulation for all statistics has the tables of one for each, to the last bit.
TEST(IndependencePlan, AllStatisticsTogetherAreThoseOfEachAlone) {
  for (const NoiseStructure structure : {NoiseStructure::Independent, NoiseStructure::SumZero}) {
    IndependencePlan plan{
        .shape = {2, 3}, .alternative = {0.2, 0.1, 0.2, 0.1, 0.2, 0.2}, .noise = {NoiseFamily::Gaussian, 4, structure}, .alpha = 0.05};
    const PowerPlan question = independence_power_plan(plan);
    const Simulation simulation{.draws = 499, .seed = 3};
    const std::vector<PlannedStatistic> all = powers_of_all(question, 300, simulation);
    ASSERT_EQ(all.size(), kAll.size());
    for (std::size_t i = 0; i < kAll.size(); ++i) {
      EXPECT_EQ(all[i].statistic, kAll[i]);
      const PlannedPower alone = *independence_plan_power(plan, kAll[i], 300, simulation);
      EXPECT_EQ(all[i].power->power, alone.power) << i;
      EXPECT_EQ(all[i].power->standard_error, alone.standard_error) << i;
    }
    plan.alpha = 0.7;
    for (const PlannedStatistic& one : powers_of_all(question, 300, simulation)) EXPECT_EQ(one.power.error().name(), "alpha");
  }
}

TEST(IndependencePlan, HasCurvesThatRise) {
  const PowerCurves curves = *power_curves(independence_power_plan(kPlan), 1500);
  ASSERT_EQ(curves.curves.size(), 3);
  for (const PowerCurve& curve : curves.curves) {
    for (std::size_t i = 1; i < curve.powers.size(); ++i) EXPECT_GE(curve.powers[i].power, curve.powers[i - 1].power - 1e-12);
  }
}

TEST(IndependencePlan, RefusesWhatIsNoPlan) {
  IndependencePlan wrong = kPlan;
  wrong.alternative = {0.5, 0.5};
  EXPECT_EQ(independence_plan_power(wrong, GofStatistic::Projected, 100).error().name(), "alternative");
  wrong = kPlan;
  wrong.alpha = 0.7;
  EXPECT_EQ(independence_plan_power(wrong, GofStatistic::Projected, 100).error().name(), "alpha");
  EXPECT_EQ(independence_plan_power(kPlan, GofStatistic::Projected, 0).error().name(), "n");
  EXPECT_EQ(independence_plan_power(kPlan, GofStatistic::Projected, 100, Simulation{.draws = 5}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::planning::independence_plan_test
