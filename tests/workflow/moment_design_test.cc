#include "tacet/workflow/release/moment_design.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

const privacy::Loss kRho = *loss_of(Rho(0.125));
const privacy::Loss kPure = *loss_of(Epsilon(0.5));
const privacy::Loss kApproximate = *loss_of(EpsilonDelta(1, 1e-6));

TEST(MomentDesign, ChoosesTheMechanismThatSuitsTheGoalAndTheLoss) {
  EXPECT_EQ(*choose_mechanism({}, true, kRho, MomentGoal::Region), MomentMechanism::Gaussian);
  EXPECT_EQ(*choose_mechanism({}, true, kPure, MomentGoal::TwoSample), MomentMechanism::CubeProducts);
  EXPECT_EQ(*choose_mechanism(MomentMechanism::Laplace, false, kRho, MomentGoal::Region), MomentMechanism::Laplace);
}

TEST(MomentDesign, RefusesAMechanismThatDoesNotGoWithTheLossOrTheValues) {
  EXPECT_EQ(choose_mechanism(MomentMechanism::Eigen, false, kPure, MomentGoal::Region).error().message(),
            "mechanism is ed, but must be gaussian, laplace or k-norm; for example: mechanism = gaussian rho = 0.125");
  EXPECT_EQ(choose_mechanism({}, true, kPure, MomentGoal::Region).error().message(),
            "mechanism is gaussian, but must be asked for with rho, mu, or epsilon and delta: Gaussian noise is never pure; for example: "
            "mechanism = gaussian rho = 0.125");
  EXPECT_EQ(choose_mechanism(MomentMechanism::KNorm, true, kApproximate, MomentGoal::Region).error().message(),
            "mechanism is k-norm, but must be asked for with epsilon alone, rho or mu: it needs no delta; for example: mechanism = k-norm "
            "epsilon = 0.5");
}

TEST(MomentDesign, ChargesGaussianNoiseOfEpsilonAndDeltaInTheCurrencyOfTheBudget) {
  EXPECT_TRUE(std::holds_alternative<privacy::ApproximateLoss>(*as_charged(kApproximate, privacy::Currency::ApproximateDp)));
  EXPECT_TRUE(std::holds_alternative<privacy::GaussianLoss>(*as_charged(kApproximate, privacy::Currency::Zcdp)));
}

}  // namespace
}  // namespace tacet
