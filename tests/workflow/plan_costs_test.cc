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

TEST(PlanCosts, ComparesLaplaceNoiseAloneUnderAPureEpsilon) {
  const TableCosts pure = *plan_costs({.table = EvenTable{600, 6}, .loss = Epsilon(1)});
  ASSERT_EQ(pure.ways.size(), 2U);
  EXPECT_NEAR(way(pure, "laplace").cost, 48, 1e-12);
  EXPECT_FALSE(pure.mu);
  EXPECT_FALSE(pure.sigma);
  EXPECT_TRUE(pure.crossings.empty());
}

TEST(PlanCosts, ComparesGaussianNoiseForBothWithLaplaceNoiseForEpsilon) {
  const TableCosts both = *plan_costs({.table = EvenTable{600, 6}, .loss = EpsilonDelta(1, 1e-6), .trials = 0});
  EXPECT_NEAR(way(both, "gaussian").cost, 214.174940615086, 1e-6);  // the mu of the exact curve
  EXPECT_NEAR(*both.mu, 0.236704380663436, 1e-9);
  EXPECT_NEAR(way(both, "laplace").cost, 48, 1e-12);
}

TEST(PlanCosts, KnowsOtherNeighboursAndOtherStatistics) {
  const TableCostsRequest one{.table = EvenTable{600, 6}, .loss = Mu(0.5), .trials = 0, .neighbours = Relation::AddOrRemoveOne};
  EXPECT_NEAR(way(*plan_costs(one), "gaussian").cost, 24, 1e-12);
  EXPECT_EQ(plan_costs(one)->ways.size(), 8U) << "no way that keeps the total";
  TableCostsRequest any = one;
  any.norms = StatisticNorms{3, 2};
  EXPECT_NEAR(way(*plan_costs(any), "gaussian").cost, 96, 1e-12);
  any.norms = StatisticNorms{1, 2};
  EXPECT_EQ(plan_costs(any).error().name(), "l1");
}

TEST(PlanCosts, TellsWhereLaplaceNoiseBeginsToCostLess) {
  const auto crossings = [](const PrivacyAmount& loss, Relation::Kind neighbours) {
    return plan_costs({.table = EvenTable{600, 6}, .loss = loss, .trials = 0, .neighbours = neighbours})->crossings;
  };
  const std::vector<CostCrossing> table = crossings(Mu(0.5), Relation::ReplaceOne);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_NEAR(table[0].at, 3.687060656280794, 1e-12);
  EXPECT_NEAR(table[1].at, 6.130081387911484, 1e-9);
  EXPECT_FALSE(table[1].proven) << "conjecture 12";
  EXPECT_NEAR(table[2].at, 14.38110286327711, 1e-9);
  const std::vector<CostCrossing> one = crossings(Mu(0.5), Relation::AddOrRemoveOne);
  ASSERT_EQ(one.size(), 2U);
  EXPECT_NEAR(one[0].at, 3.360777379191635, 1e-9);
  EXPECT_TRUE(one[0].proven);
  EXPECT_NEAR(crossings(Rho(0.5), Relation::ReplaceOne)[0].at, 3.268943174194563, 1e-9);
  EXPECT_NEAR(crossings(Rho(0.5), Relation::AddOrRemoveOne)[0].at, 1.634471587097281, 1e-9);
}

TEST(PlanCosts, AveragesOverTablesThatAreDrawn) {
  const TableCostsRequest request{.table = std::vector<double>{0, 6, 3, 1, 30, 12}, .loss = Mu(0.5), .sampled = true};
  const TableCosts sampled = *plan_costs(request);
  EXPECT_FALSE(way(sampled, "gaussian").standard_error) << "it does not depend on the table";
  for (const char* name : {"js", "gaussian_nonnegative", "laplace_nonnegative", "rjs_simplex"}) {
    EXPECT_TRUE(way(sampled, name).standard_error) << name;
  }
  TableCostsRequest other = request;
  other.seed = 2;
  EXPECT_NE(way(*plan_costs(other), "js").cost, way(sampled, "js").cost);
  EXPECT_EQ(way(*plan_costs(request), "js").cost, way(sampled, "js").cost);
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
