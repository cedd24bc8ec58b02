#include "tacet/planning/gof_plan.h"

#include <gtest/gtest.h>

namespace tacet::planning {
namespace {

using inference::GofStatistic;

const GofPlan kPlan{.null = {0.5, 0.3, 0.2}, .alternative = {0.52, 0.29, 0.19}, .noise_variance = 800, .alpha = 0.05};

TEST(PeopleForPower, IsTheLeastNumberThatIsEnough) {
  for (const GofStatistic statistic : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected}) {
    const double n = *people_for_power(kPlan, statistic, 0.8);
    EXPECT_GE(*gof_plan_power(kPlan, statistic, n), 0.8);
    EXPECT_LT(*gof_plan_power(kPlan, statistic, n - 1), 0.8);
  }
}

TEST(PeopleForPower, IsRefusedWhereItMakesNoSense) {
  EXPECT_EQ(people_for_power(kPlan, GofStatistic::Projected, 0.05).error().name(), "power");
  EXPECT_EQ(people_for_power(kPlan, GofStatistic::Projected, 1).error().name(), "power");
  GofPlan same = kPlan;
  same.alternative = same.null;
  EXPECT_EQ(people_for_power(same, GofStatistic::Projected, 0.8).error().code(), Code::Unsupported);
  GofPlan other = kPlan;
  other.alternative = {0.5, 0.5};
  EXPECT_EQ(gof_plan_power(other, GofStatistic::Projected, 100).error().name(), "alternative");
  other.alternative = {0.5, 0.5, 0.5};
  EXPECT_EQ(gof_plan_power(other, GofStatistic::Projected, 100).error().name(), "alternative");
  other = kPlan;
  other.alpha = 0.9;
  EXPECT_EQ(gof_plan_power(other, GofStatistic::Projected, 100).error().name(), "alpha");
  EXPECT_EQ(gof_plan_power(kPlan, GofStatistic::Projected, 0).error().name(), "n");
}

}  // namespace
}  // namespace tacet::planning
