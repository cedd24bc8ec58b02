#include "tacet/workflow/privacy/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

using ::testing::HasSubstr;

TEST(EpsilonAtDelta, IsTheBetterOfTwoTheoremsForRhoAndTheExactCurveForMu) {
  const DpConversion rho = *epsilon_at_delta(Rho(0.125), 1e-6);
  ASSERT_TRUE(rho.of_rho);
  EXPECT_NEAR(rho.best.epsilon, 2.41909, 1e-5);
  EXPECT_EQ(rho.best.epsilon, rho.of_rho->optimal);
  EXPECT_LT(rho.best.epsilon, rho.of_rho->theorem_2_2_4);
  const DpConversion mu = *epsilon_at_delta(Mu(0.5), 1e-6);
  EXPECT_FALSE(mu.of_rho);
  EXPECT_EQ(mu.best.epsilon, rho.of_rho->if_gaussian) << "rho 1/8 is mu 1/2";
}

TEST(DeltaAtEpsilon, GoesBack) {
  for (const GaussianAmount& loss : {GaussianAmount(Rho(0.5)), GaussianAmount(Mu(1))}) {
    const double delta = delta_at_epsilon(loss, 3)->best.delta;
    EXPECT_NEAR(epsilon_at_delta(loss, delta)->best.epsilon, 3, 1e-9);
  }
}

// (xi, rho)-zCDP is rho-zCDP with every epsilon moved by xi: both theorems are sums with xi.
TEST(EpsilonAtDelta, OfAXiIsThatOfTheRhoMovedByIt) {
  const DpConversion without = *epsilon_at_delta(Rho(0.125), 1e-6);
  const DpConversion with = *epsilon_at_delta(Rho(0.125), 1e-6, 0.1);
  EXPECT_NEAR(with.best.epsilon, without.best.epsilon + 0.1, 1e-10);
  EXPECT_NEAR(with.of_rho->theorem_2_2_4, without.of_rho->theorem_2_2_4 + 0.1, 1e-10);
  EXPECT_FALSE(with.of_rho->if_gaussian) << "no Gaussian noise has a xi";
  EXPECT_NEAR(delta_at_epsilon(Rho(0.125), 3.1, 0.1)->best.delta / delta_at_epsilon(Rho(0.125), 3)->best.delta, 1, 1e-9);
  EXPECT_EQ(epsilon_at_delta(Mu(0.5), 1e-6, 0.1).error().message(), "xi is 0.1, but goes with rho: (xi, rho)-zCDP; leave it out");
  EXPECT_EQ(epsilon_at_delta(Rho(0.125), 1e-6, -1).error().name(), "xi");
}

TEST(ConvertPure, SaysWhatAnyPureMechanismKeeps) {
  const PureConversion pure = *convert_pure(Epsilon(1));
  EXPECT_EQ(pure.rho.zcdp.rho, 0.5);
  EXPECT_NEAR(pure.mu.mu, 1.2320353853449, 1e-12);
  EXPECT_EQ(convert_pure(EpsilonDelta(1, 0))->mu.mu, pure.mu.mu) << "a delta of 0 is pure";
  EXPECT_EQ(rho_of(Mu(0.5))->zcdp.rho, 0.125);
}

TEST(Conversion, RefusesWhatIsNotImplied) {
  const auto refused = convert_pure(EpsilonDelta(1, 1e-6));
  EXPECT_EQ(refused.error().code(), Code::Unsupported);
  EXPECT_EQ(refused.error().message(),
            "(epsilon, delta)-DP with delta 1e-06 implies neither a mu nor a rho; `calibrate gaussian` tells the Gaussian noise that "
            "keeps it, and its mu and rho");
  EXPECT_EQ(epsilon_at_delta(Rho(1), 0).error().message(),
            "delta is 0, but must be greater than 0: neither rho nor mu implies a pure epsilon; for example: delta = 1e-6");
  EXPECT_THAT(delta_at_epsilon(Mu("x"), 1).error().message(), HasSubstr("mu is x"));
  EXPECT_THAT(delta_at_epsilon(Mu(1), -1).error().message(), HasSubstr("epsilon is -1"));
}

}  // namespace
}  // namespace tacet
