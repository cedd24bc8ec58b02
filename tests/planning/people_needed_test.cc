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

}  // namespace
}  // namespace tacet::planning
