#include "tacet/workflow/plan/plan_mean_test.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

const MeanQueryDesign kDesign{.covariance = Matrix{2, 2, {200, 100, 100, 100}}, .range = {120, 200}, .loss = Rho(0.02)};

TEST(PlanMeanTest, ComparesTheQueries) {
  const auto plan = plan_mean_test({.design = kDesign, .eta = {2, 1}, .n = 2000});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->n, 2000);
  EXPECT_FALSE(plan->n_was_found);
  EXPECT_NEAR(plan->mu, 0.2, 1e-12);
  EXPECT_EQ(plan->powers.size(), 8U);
  EXPECT_EQ(plan->query, MeanQuery::Combination);
  EXPECT_EQ(plan->powers.at(MeanQuery::Combination), plan->power);
  EXPECT_GT(plan->power, plan->powers.at(MeanQuery::Whitened));
  EXPECT_TRUE(plan->people.empty()) << "no power was wanted";
  MeanQueryDesign without = kDesign;
  without.range = {};
  EXPECT_EQ(plan_mean_test({.design = without, .eta = {2, 1}, .n = 2000})->powers.count(MeanQuery::Bounded), 0U);
}

TEST(PlanMeanTest, FindsThePeopleForAPower) {
  const auto plan = plan_mean_test({.design = kDesign, .eta = {2, 1}, .power = 0.8});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_TRUE(plan->n_was_found);
  EXPECT_GE(plan->power, 0.8);
  const auto fewer = static_cast<std::uint64_t>(plan->n) - 1;
  EXPECT_LT(plan_mean_test({.design = kDesign, .eta = {2, 1}, .n = fewer})->power, 0.8);
  EXPECT_EQ(plan->people.at(MeanQuery::Combination), plan->n);
  EXPECT_GT(plan->people.at(MeanQuery::Whitened), plan->n);
}

TEST(PlanMeanTest, OfTheDataChoosesTheBestColumn) {
  MeanQueryDesign ranges{.range = {120, 200}, .loss = Rho(0.02)};
  const auto plan = plan_mean_test({.design = ranges, .eta = {2, 1}, .n = 2000, .target = MeanTarget::Data, .curves = true});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->query, MeanQuery::Column);
  EXPECT_FALSE(plan->clipped);
  for (const auto& [query, power] : plan->powers) EXPECT_LE(power, plan->power) << name(query);
  ASSERT_TRUE(plan->curves);
  EXPECT_EQ(plan->curves->powers.at(MeanQuery::Column).size(), plan->curves->people.size());
  EXPECT_EQ(plan_mean_test({.design = ranges, .eta = {2, 1}, .n = 2000}).error().name(), "covariance");
}

TEST(PlanMeanTest, RefusesBadInputWithItsName) {
  EXPECT_EQ(plan_mean_test({.design = kDesign, .eta = {2, 1}}).error().name(), "n");
  EXPECT_EQ(plan_mean_test({.design = {.covariance = kDesign.covariance}, .eta = {2, 1}, .n = 10}).error().name(), "privacy");
  EXPECT_EQ(plan_mean_test({.design = kDesign, .eta = {2}, .n = 10}).error().message(),
            "eta is 1 numbers, but must be one for each of the 2 columns; for example: eta = 10,5");
  EXPECT_EQ(plan_mean_test({.design = kDesign, .eta = {2, 1}, .n = 1}).error().message(),
            "n is 1, but must be a finite number, at least 2 and at most 1e15; for example: n = 500");
  EXPECT_EQ(plan_mean_test({.design = {.covariance = Matrix{1, 2, {1, 0}}, .loss = Mu(1)}, .eta = {1}, .n = 10}).error().message(),
            "covariance is a matrix of 1 x 2, but must be a square matrix");
}

}  // namespace
}  // namespace tacet
