#include "tacet/workflow/plan/plan_gwas.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/inference/counts/noised_gwas.h"
#include "tacet/workflow/plan/independence_plan.h"

namespace tacet {
namespace {

const std::vector<double> kCases = {0.3, 0.5, 0.2};
const std::vector<double> kControls = {0.4, 0.45, 0.15};

TEST(PlanGwas, ComparesATableWithAStatisticOfTheSamePrivacy) {
  const GwasPlan plan = *plan_gwas({.cases = kCases, .controls = kControls, .loss = Rho("0.01"), .n = 2000});
  EXPECT_NEAR(plan.rho, 0.01, 1e-15);
  EXPECT_NEAR(plan.table.noise, 10, 1e-12);
  // The standard deviation of noise for rho on a sensitivity of 4n/(n + 2): by hand.
  EXPECT_NEAR(plan.statistic.noise, 4 * 2000.0 / 2002 / std::sqrt(0.02), 1e-10);
  EXPECT_NEAR(plan.statistic.power, *inference::gwas_power(kCases, kControls, 2000, 0.01, 0.05), 1e-12);
  const Matrix joint{3, 2, {0.15, 0.2, 0.25, 0.225, 0.1, 0.075}};
  EXPECT_NEAR(plan.table.power, plan_independence(joint, {.loss = Rho("0.01"), .n = 2000})->power, 1e-9);
  EXPECT_GT(plan.table.power, plan.statistic.power + 0.1) << "Rogers 7.3.2: the table finds more";
  EXPECT_NEAR(plan_gwas({.cases = kCases, .controls = kControls, .loss = EpsilonDelta(1, 1e-6), .n = 2000})->rho, 0.0280145, 1e-6);
}

TEST(PlanGwas, FindsThePeopleOfBothWays) {
  const GwasPlan plan = *plan_gwas({.cases = kCases, .controls = kControls, .loss = Rho("0.01"), .power = 0.8});
  EXPECT_TRUE(plan.people_wanted);
  EXPECT_EQ(plan.table.people, plan.n);
  EXPECT_EQ(std::fmod(plan.n, 2), 0);
  EXPECT_GE(plan.table.power, 0.8);
  EXPECT_GT(plan.statistic.people.value_or(0), plan.n);
  EXPECT_GE(*inference::gwas_power(kCases, kControls, *plan.statistic.people, 0.01, 0.05), 0.8);
}

TEST(PlanGwas, RefusesWhatMakesNoSense) {
  const auto refused = [](const GwasPlanRequest& request) { return plan_gwas(request).error().message(); };
  EXPECT_EQ(refused({.cases = {0.5, 0.5}, .controls = kControls, .loss = Rho(1), .n = 100}),
            "cases is 2 numbers, but must be the probabilities of three genotypes; for example: cases = 0.3,0.5,0.2");
  EXPECT_THAT(refused({.cases = kCases, .controls = {0.3, 0.3, 0.3}, .loss = Rho(1), .n = 100}), ::testing::HasSubstr("controls is"));
  EXPECT_EQ(plan_gwas({.cases = kCases, .controls = kControls, .n = 100}).error().name(), "privacy");
  EXPECT_EQ(plan_gwas({.cases = kCases, .controls = kControls, .loss = Rho(1)}).error().name(), "n");
  EXPECT_FALSE(plan_gwas({.cases = kCases, .controls = kControls, .loss = Epsilon(1), .n = 100}).ok());
}

}  // namespace
}  // namespace tacet
