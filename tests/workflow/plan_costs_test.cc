#include "tacet/workflow/plan/plan_costs.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

const TableCost& way(const TableCosts& costs, const std::string& name) {
  return *std::find_if(costs.ways.begin(), costs.ways.end(), [&name](const TableCost& cost) { return cost.name == name; });
}

TEST(PlanCosts, HasTheLeastCostFirst) {
  const TableCosts costs = *plan_costs({.table = std::vector<double>{75, 149, 28, 175, 184, 190}, .loss = Mu(0.1)});
  EXPECT_EQ(costs.cells, 6U);
  EXPECT_EQ(costs.people, 801);
  EXPECT_EQ(costs.trials, 4000U);
  EXPECT_EQ(costs.ways.size(), 18U);
  for (std::size_t i = 1; i < costs.ways.size(); ++i) EXPECT_LE(costs.ways[i - 1].cost, costs.ways[i].cost);
  EXPECT_NEAR(way(costs, "rjs").cost, 989.16450946762, 1e-6);
  EXPECT_EQ(way(costs, "rjs").way.shrink, inference::Shrinkage::RankDeficient);
  EXPECT_TRUE(way(costs, "simplex").standard_error) << "it has no formula";
}

TEST(PlanCosts, KnowsThatLaplaceNoiseCostsLessInRho) {
  const TableCosts mu = *plan_costs({.table = EvenTable{4000, 12}, .loss = Mu(0.5), .trials = 0});
  const TableCosts rho = *plan_costs({.table = EvenTable{4000, 12}, .loss = Rho(0.125), .trials = 0});
  EXPECT_EQ(way(mu, "gaussian").cost, way(rho, "gaussian").cost);
  EXPECT_GT(way(mu, "laplace").cost, way(rho, "laplace").cost);
  EXPECT_EQ(mu.ways.size(), 13U) << "nothing is simulated";
}

TEST(PlanCosts, SimulatesFewerTrialsOfLargeTables) {
  EXPECT_EQ(plan_costs({.table = EvenTable{1000000, 10000}, .loss = Mu(1)})->trials, 200U);
}

TEST(PlanCosts, RefusesWhatMakesNoSense) {
  EXPECT_EQ(plan_costs({.table = std::vector<double>{1, -2}, .loss = Mu(1)}).error().message(),
            "counts is a list with -2, but must be numbers from 0 to 2^53; for example: counts = 75,149,28");
  EXPECT_EQ(plan_costs({.table = EvenTable{10, 0}, .loss = Mu(1)}).error().name(), "p");
  EXPECT_EQ(plan_costs({.table = EvenTable{10, 3}, .loss = Rho("x")}).error().name(), "rho");
  EXPECT_EQ(plan_costs({.table = EvenTable{10, 5}, .loss = Mu(1), .trials = 3}).error().message(),
            "trials is 3, but must be a whole number from 20 to 10000000; for example: trials = 2000");
  EXPECT_EQ(plan_costs({.table = EvenTable{10, 5}, .loss = Mu("1e-150")}).error().message(),
            "mu is 1e-150, but must be from 1e-100 to 1e6; for example: mu = 0.5");
}

}  // namespace
}  // namespace tacet
