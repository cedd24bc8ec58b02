#include "tacet/planning/gof_plan.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::planning::gof_plan_test {
namespace {

using inference::GofStatistic;
using inference::Simulation;
using kernel::NoiseFamily;
using mechanisms::NoiseStructure;

const GofPlan kPlan{.null = {0.5, 0.3, 0.2},
                    .alternative = {0.52, 0.29, 0.19},
                    .noise = {NoiseFamily::Gaussian, std::sqrt(800.0), NoiseStructure::Independent},
                    .alpha = 0.05};
constexpr std::array kAll = {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected};

TEST(PeopleForPower, IsTheLeastNumberThatIsEnough) {
  for (const GofStatistic statistic : kAll) {
    const double n = *people_for_power(gof_power_plan(kPlan), statistic, 0.8);
    EXPECT_GE(gof_plan_power(kPlan, statistic, n)->power, 0.8);
    EXPECT_LT(gof_plan_power(kPlan, statistic, n - 1)->power, 0.8);
    EXPECT_EQ(gof_plan_power(kPlan, statistic, n)->standard_error, std::nullopt);
  }
}

// 0.012 for the covariance of the alternative, which the local law takes from the null; seven
// standard errors. Sees a power that is off by 0.06.
TEST(GofPlanPower, BySimulationIsThatOfTheLawsWherePeopleAreMany) {
  test::declare_false_alarm("planned power by simulation", 4e-11);
  for (const mechanisms::NoiseDistribution& noise : {kPlan.noise,
                                                     {NoiseFamily::Gaussian, kPlan.noise.scale, NoiseStructure::SumZero},
                                                     {NoiseFamily::Laplace, 20, NoiseStructure::Independent}}) {
    GofPlan plan = kPlan;
    plan.noise = noise;
    for (const GofStatistic statistic : kAll) {
      const PlannedPower simulated = *gof_plan_power(plan, statistic, 8000, Simulation{.draws = 19'999, .seed = test::suite_seed()});
      EXPECT_NEAR(simulated.power, gof_plan_power(plan, statistic, 8000)->power, 0.012 + 7 * *simulated.standard_error);
      EXPECT_TRUE(*simulated.standard_error > 0.002 && *simulated.standard_error < 0.01) << *simulated.standard_error;
    }
  }
}

// People where the null hypothesis has nobody: the value of mpmath in gof_statistic_test.cc, and the
// simulation of the same design.
TEST(GofPlanPower, KnowsCellsOfProbabilityZero) {
  test::declare_false_alarm("planned power with empty cells", 1e-11);
  const GofPlan plan{.null = {0.5, 0.5, 0},
                     .alternative = {0.5, 0.45, 0.05},
                     .noise = {NoiseFamily::Gaussian, 2, NoiseStructure::Independent},
                     .alpha = 0.05};
  const double power = gof_plan_power(plan, GofStatistic::Projected, 100)->power;
  EXPECT_NEAR(power, 0.79876605595929645, 1e-10);
  const PlannedPower simulated =
      *gof_plan_power(plan, GofStatistic::Projected, 100, Simulation{.draws = 19'999, .seed = test::suite_seed()});
  EXPECT_NEAR(simulated.power, power, 0.03 + 7 * *simulated.standard_error);
  EXPECT_LT(gof_plan_power(plan, GofStatistic::Classical, 100)->power, 0.3);
  EXPECT_GT(*gof_naive_level(plan, 100), 0.05);
}

TEST(PeopleForPower, BySimulationIsNearTheLawsAndRepeats) {
  test::declare_false_alarm("planned people by simulation", 1e-10);
  const Simulation simulation{.draws = 9999, .seed = test::suite_seed()};
  const double n = *people_for_power(gof_power_plan(kPlan), GofStatistic::Projected, 0.8, simulation);
  EXPECT_EQ(n, *people_for_power(gof_power_plan(kPlan), GofStatistic::Projected, 0.8, simulation));
  EXPECT_GE(gof_plan_power(kPlan, GofStatistic::Projected, n, simulation)->power, 0.8);
  // A standard error of the power is 0.006, or three per cent of the people.
  EXPECT_NEAR(n / *people_for_power(gof_power_plan(kPlan), GofStatistic::Projected, 0.8), 1, 0.25);
}

TEST(PowerCurves, RiseWithThePeopleForEachStatistic) {
  const double n = *people_for_power(gof_power_plan(kPlan), GofStatistic::Projected, 0.8);
  const PowerCurves curves = *power_curves(gof_power_plan(kPlan), n);
  ASSERT_EQ(curves.curves.size(), 3);
  EXPECT_EQ(curves.people.size(), 41);
  EXPECT_EQ(curves.people[20], n);
  for (const PowerCurve& curve : curves.curves) {
    for (std::size_t i = 1; i < curve.powers.size(); ++i) EXPECT_GE(curve.powers[i].power, curve.powers[i - 1].power - 1e-12);
    EXPECT_GT(curve.powers.back().power, 0.999);
  }
  EXPECT_GE(curves.curves[1].powers[20].power, 0.8);
  const PowerCurves simulated = *power_curves(gof_power_plan(kPlan), 10, Simulation{.draws = 99});
  EXPECT_LT(simulated.people.size(), 41);  // no half people
  EXPECT_GT(simulated.curves[0].powers[5].standard_error, 0);
}

TEST(PowerCurves, LeaveOutWhatHasNoLaw) {
  GofPlan wide = kPlan;
  wide.null = wide.alternative = std::vector<double>(1001, 1.0 / 1001);
  EXPECT_EQ(power_curves(gof_power_plan(wide), 1000)->curves.size(), 2);
}

TEST(PeopleForPower, IsRefusedWhereItMakesNoSense) {
  EXPECT_EQ(people_for_power(gof_power_plan(kPlan), GofStatistic::Projected, 0.05).error().name(), "power");
  EXPECT_EQ(people_for_power(gof_power_plan(kPlan), GofStatistic::Projected, 1).error().name(), "power");
  GofPlan same = kPlan;
  same.alternative = same.null;
  EXPECT_EQ(people_for_power(gof_power_plan(same), GofStatistic::Projected, 0.8).error().code(), Code::Unsupported);
  const Simulation simulation{.draws = 99};
  for (const std::optional<Simulation>& way : {std::optional<Simulation>(), std::optional(simulation)}) {
    GofPlan other = kPlan;
    other.alternative = {0.5, 0.5};
    EXPECT_EQ(gof_plan_power(other, GofStatistic::Projected, 100, way).error().name(), "alternative");
    other.alternative = {0.5, 0.5, 0.5};
    EXPECT_EQ(gof_plan_power(other, GofStatistic::Projected, 100, way).error().name(), "alternative");
    other = kPlan;
    other.alpha = 0.9;
    EXPECT_EQ(gof_plan_power(other, GofStatistic::Projected, 100, way).error().name(), "alpha");
    EXPECT_EQ(gof_plan_power(kPlan, GofStatistic::Projected, 0, way).error().name(), "n");
  }
  EXPECT_EQ(gof_plan_power(kPlan, GofStatistic::Projected, 100, Simulation{.draws = 9}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::planning::gof_plan_test
