#include "tacet/planning/people_needed.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tacet::planning {
namespace {

TEST(PeopleNeeded, AreTheLeastThatReachThePower) {
  const auto power = [](double n) -> Result<double> { return 1 - std::exp(-n / 1000); };
  const double n = *people_needed(0.8, 0.05, kMostPeople, power);
  EXPECT_GE(*power(n), 0.8);
  EXPECT_LT(*power(n - 1), 0.8);
  EXPECT_EQ(*people_needed(0.8, 0.05, kMostPeople, [](double) -> Result<double> { return 0.9; }), 1);
}

TEST(PeopleNeeded, RefusesWhatCannotBeReached) {
  const auto never = [](double) -> Result<double> { return 0.5; };
  EXPECT_EQ(people_needed(0.8, 0.05, 1e6, never).error().code(), Code::Unsupported);
  EXPECT_EQ(people_needed(0.05, 0.05, 1e6, never).error().name(), "power");
  EXPECT_EQ(people_needed(1, 0.05, 1e6, never).error().name(), "power");
  const auto broken = [](double) -> Result<double> { return Error::invalid("alpha", "2", "must be a level"); };
  EXPECT_EQ(people_needed(0.8, 0.05, 1e6, broken).error().name(), "alpha");
}

TEST(PeopleNeeded, NearAStartAreKnownToOnePartIn500AndCostFewPowers) {
  for (const double start : {200.0, 1609.0, 6000.0}) {
    int asked = 0;
    const auto power = [&asked](double n) -> Result<double> {
      ++asked;
      return 1 - std::exp(-n / 1000);
    };
    const double n = *people_needed_near(start, 0.8, kMostPeople, power);
    EXPECT_GE(*power(n), 0.8);
    EXPECT_LT(*power(std::floor(n * 0.998) - 1), 0.8);
    EXPECT_LT(asked, 22) << start;
  }
  const auto never = [](double) -> Result<double> { return 0.5; };
  EXPECT_EQ(people_needed_near(100, 0.8, 1e6, never).error().code(), Code::Unsupported);
}

TEST(CurveSizes, AreWholeAndGrowEvenlyWithinTheirLimits) {
  const std::vector<double> sizes = curve_sizes(1000, 1, kMostPeople);
  ASSERT_EQ(sizes.size(), 41U);
  EXPECT_EQ(sizes.front(), 50);
  EXPECT_EQ(sizes[20], 1000);
  EXPECT_EQ(sizes.back(), 20'000);
  const std::vector<double> few = curve_sizes(10, 4, 30);
  EXPECT_GE(few.front(), 4);
  EXPECT_LE(few.back(), 30);
  for (std::size_t i = 1; i < few.size(); ++i) EXPECT_GE(few[i] - few[i - 1], 1);
}

}  // namespace
}  // namespace tacet::planning
