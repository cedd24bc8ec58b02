#include "tacet/workflow/privacy/compose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

using ::testing::HasSubstr;

TEST(ComposeLosses, AnswersByEveryRuleThatHolds) {
  const Composition all =
      *compose_losses({.losses = {{.loss = Epsilon(0.1), .times = 30}}, .delta = "1e-6", .epsilon_budget = 3, .n = 10000});
  EXPECT_EQ(all.mechanisms, 30U);
  EXPECT_EQ(all.basic->epsilon.to_string(), "3");
  EXPECT_NEAR(all.optimal->epsilon->upper, 2.34588769, 1e-8);
  EXPECT_LE(all.optimal->epsilon->lower, all.optimal->epsilon->upper);
  EXPECT_FALSE(all.optimal->delta) << "no epsilon was asked about";
  EXPECT_TRUE(all.filters->basic->go);
  EXPECT_FALSE(all.filters->rogers->go);
  EXPECT_NEAR(*all.odometer->bound, 3, 1e-12);
  EXPECT_FALSE(all.numerical) << "only the promise is known";
  EXPECT_FALSE(all.mu);
}

TEST(ComposeLosses, KnowsWhatNoiseGivesAway) {
  const Composition gaussian =
      *compose_losses({.losses = {{.loss = Mu(0.03), .times = 100}, {.loss = Mu(0.04), .times = 100}}, .delta = "1e-6"});
  EXPECT_EQ(gaussian.mu->mu, 0.5);
  EXPECT_EQ(gaussian.mu->mu_squared.to_string(), "0.25");
  EXPECT_EQ(gaussian.rho->exact.to_string(), "0.125");
  EXPECT_FALSE(gaussian.basic) << "Gaussian noise has no epsilon of its own";
  const Composition laplace = *compose_losses({.losses = {{.loss = LaplaceNoise(0.1), .times = 30}}, .delta = "1e-6"});
  EXPECT_LT(laplace.numerical->epsilon->upper, laplace.optimal->epsilon->lower) << "its distribution is better than the worst case";
  const Composition rho = *compose_losses({.losses = {{.loss = Rho(0.1), .times = 5}}, .at_epsilon = 1});
  EXPECT_EQ(rho.rho->rho, 0.5);
  EXPECT_FALSE(rho.rho->epsilon) << "no delta was given";
}

TEST(ComposeLosses, AddsUpXiBesideRho) {
  // Rogers, Theorem 2.2.5: both add up. A xi moves the privacy loss, so epsilon grows by just it.
  const CompositionRequest request{.losses = {{.loss = ShiftedRho{"0.02", "0.1"}, .times = 4}, {.loss = Rho("0.1")}}, .delta = "1e-6"};
  const Composition shifted = *compose_losses(request);
  EXPECT_EQ(shifted.rho->exact.to_string(), "0.5");
  EXPECT_EQ(shifted.rho->xi.to_string(), "0.08");
  const Composition plain = *compose_losses({.losses = {{.loss = Rho("0.5")}}, .delta = "1e-6"});
  EXPECT_NEAR(*shifted.rho->epsilon, *plain.rho->epsilon + 0.08, 1e-12);
  EXPECT_TRUE(plain.rho->odometer);
  EXPECT_FALSE(shifted.rho->odometer) << "no odometer is known for a xi";
  EXPECT_FALSE(shifted.mu);
  EXPECT_EQ(compose_losses({.losses = {{.loss = ShiftedRho{-1, 1}}}, .delta = 1e-6}).error().message(),
            "xi is -1, but must be 0 or a number between 1e-100 and 1e6; for example: xi = 0.1");
}

TEST(ComposeLosses, RefusesWhatMakesNoSense) {
  const auto refused = [](const CompositionRequest& request) { return compose_losses(request).error().message(); };
  EXPECT_EQ(refused({.losses = {}, .delta = 1e-6}), "losses is a list of 0, but must be at least one loss and at most a million");
  EXPECT_THAT(refused({.losses = {{.loss = Epsilon(-1)}}, .delta = 1e-6}), HasSubstr("epsilon is -1"));
  EXPECT_EQ(refused({.losses = {{.loss = Mu(1), .times = 0}}, .delta = 1e-6}),
            "times is 0, but must be a whole number between 1 and 1000000000");
  EXPECT_EQ(refused({.losses = {{.loss = Mu(1)}}}),
            "target is missing, but must be delta (for an epsilon) or at-epsilon (for a delta); for example: delta = 1e-6");
  EXPECT_EQ(refused({.losses = {{.loss = Mu(1)}}, .at_epsilon = 1, .n = 10}),
            "delta is missing, but must be given for a filter or an odometer; for example: delta = 1e-6");
  EXPECT_EQ(refused({.losses = {{.loss = Mu(1)}}, .delta = 0}),
            "delta is 0, but must be greater than 0: with delta 0 only the sum of the epsilons holds; for example: delta = 1e-6");
}

}  // namespace
}  // namespace tacet
