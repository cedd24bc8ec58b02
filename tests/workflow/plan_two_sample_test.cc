#include "tacet/workflow/plan/plan_two_sample.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

using ::testing::HasSubstr;

MeansPlanRequest public_trial() {
  return {.columns = {"ldl", "hdl"},
          .lower = {50, 20},
          .upper = {"201", "100"},
          .difference = {6, 4},
          .sd = {20, 10},
          .correlation = 0.4,
          .loss = Rho(0.02),
          .n = {400},
          .membership = Membership::Public,
          .simulation = {.draws = 100}};
}

TEST(PlanTwoSample, TellsThePowerAndThePriceOfPrivacy) {
  const auto plan = plan_two_sample(public_trial());
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->n, (std::vector<double>{400, 400}));
  EXPECT_FALSE(plan->n_without_privacy);
  EXPECT_GT(plan->power.power, 0.2);
  EXPECT_LT(plan->power.power, plan->power.without_privacy);
  EXPECT_EQ(plan->noise.mechanism, MomentMechanism::Gaussian);
  EXPECT_EQ(plan->noise.people, std::nullopt) << "membership is public";
  EXPECT_EQ(plan->noise.products.size(), 3U);
  EXPECT_EQ(plan->neighbours, kernel::Relation::ReplaceOne);
  EXPECT_DOUBLE_EQ(plan->columns[0].sampling_sd, std::sqrt(400.0 / 400 + 400.0 / 400));
  EXPECT_DOUBLE_EQ(plan->columns[0].noise_sd, std::hypot(plan->noise.sums[0] / 400, plan->noise.sums[0] / 400));
  EXPECT_TRUE(plan->curve.empty());
}

TEST(PlanTwoSample, FindsThePeopleForAPower) {
  MeansPlanRequest request = public_trial();
  request.n = {};
  request.power = 0.8;
  const auto plan = plan_two_sample(request);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_GE(plan->power.power, 0.8);
  EXPECT_GT(plan->n[0], *plan->n_without_privacy);
}

TEST(PlanTwoSample, NamesColumnsByTheLongestListAndDrawsACurve) {
  const auto plan = plan_two_sample({.lower = {0},
                                     .upper = {10},
                                     .difference = {1, 1, 0.5},
                                     .sd = {2},
                                     .loss = Epsilon(1),
                                     .n = {100, 300},
                                     .simulation = {.draws = 8},
                                     .curve = true});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->columns[2].name, "column 3");
  EXPECT_EQ(plan->noise.mechanism, MomentMechanism::CubeProducts) << "what suits the test under a pure epsilon";
  EXPECT_GT(plan->noise.people, 0) << "membership is private where nothing is said";
  ASSERT_EQ(plan->curve.size(), 41U);
  EXPECT_EQ(plan->curve.front().n, 20);
  EXPECT_EQ(plan->curve.back().n, 8000);
}

TEST(PlanKSample, CountsTheGroups) {
  const auto plan = plan_k_sample(4, public_trial());
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->n, (std::vector<double>{400, 400, 400, 400}));
  EXPECT_EQ(plan_k_sample(1, public_trial()).error().message(), "groups is 1, but must be 2 to 1000; for example: groups = 3");
}

TEST(PlanTwoSample, RefusesWithValueRuleAndRemedy) {
  const auto refused = [](const auto& change) {
    MeansPlanRequest request = public_trial();
    change(request);
    const auto plan = plan_two_sample(request);
    return plan.ok() ? "not refused" : plan.error().message();
  };
  EXPECT_EQ(refused([](auto& r) { r.loss = {}; }),
            "privacy is missing, but must be exactly one of epsilon (with or without delta), rho, mu; for example: rho = 0.125");
  EXPECT_EQ(refused([](auto& r) { r.difference = {1, 2, 3}; }),
            "difference is 3 numbers, but must be one number for all 2 columns, or one for each; for example: difference = 5");
  EXPECT_EQ(refused([](auto& r) { r.difference = {}; }),
            "difference is missing, but must be one number for all 2 columns, or one for each; for example: difference = 5");
  EXPECT_EQ(refused([](auto& r) { r.covariance = Matrix{1, 4, {1, 0, 0, 1}}, r.sd = {}, r.correlation = {}; }),
            "covariance is a matrix of 1 x 4, but must be a square matrix");
  EXPECT_EQ(refused([](auto& r) { r.covariance = Matrix{2, 2, {1, 0, 0, 1}}, r.sd = {}; }),
            "correlation is 0.4, but goes with sd; leave it out, or give sd");
  EXPECT_EQ(refused([](auto& r) { r.n = {1}; }), "n is 1, but must be 2 to 1e15 people in each group; for example: n = 1000");
  EXPECT_EQ(refused([](auto& r) { r.power = 0.8; }),
            "n is given with a wanted power, but must be given where the power is asked for, and left out where people are; for example: "
            "n = 1000 for the power, or power = 0.8 for the people");
  EXPECT_THAT(refused([](auto& r) { r.schema = data::Schema{}; }), HasSubstr("lower is given with a schema"));
  EXPECT_THAT(refused([](auto& r) { r.mechanism = MomentMechanism::Laplace, r.loss = EpsilonDelta(1, 1e-6); }),
              HasSubstr("it needs no delta"));
}

}  // namespace
}  // namespace tacet
