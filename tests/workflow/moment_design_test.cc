#include "tacet/workflow/release/moment_design.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

privacy::Loss rho() { return *loss_of(Rho(0.125)); }
privacy::Loss pure() { return *loss_of(Epsilon(0.5)); }
privacy::Loss approximate() { return *loss_of(EpsilonDelta(1, 1e-6)); }

TEST(MomentDesign, ChoosesTheMechanismThatSuitsTheGoalAndTheLoss) {
  EXPECT_EQ(*choose_mechanism({}, true, rho(), MomentGoal::Region), MomentMechanism::Gaussian);
  EXPECT_EQ(*choose_mechanism({}, true, approximate(), MomentGoal::Region), MomentMechanism::Gaussian);
  EXPECT_EQ(*choose_mechanism({}, false, pure(), MomentGoal::Region), MomentMechanism::Laplace);
  EXPECT_EQ(*choose_mechanism({}, true, pure(), MomentGoal::LeastSquares), MomentMechanism::Laplace);
  EXPECT_EQ(*choose_mechanism({}, true, pure(), MomentGoal::TwoSample), MomentMechanism::CubeProducts);
  EXPECT_EQ(*choose_mechanism({}, false, pure(), MomentGoal::TwoSample), MomentMechanism::Laplace);
  EXPECT_EQ(*choose_mechanism(MomentMechanism::Laplace, false, rho(), MomentGoal::Region), MomentMechanism::Laplace);
}

TEST(MomentDesign, RefusesAMechanismThatDoesNotGoWithTheLossOrTheValues) {
  EXPECT_EQ(choose_mechanism(MomentMechanism::Eigen, false, pure(), MomentGoal::Region).error().message(),
            "mechanism is ed, but must be gaussian, laplace or k-norm; for example: mechanism = gaussian rho = 0.125");
  EXPECT_EQ(
      choose_mechanism(MomentMechanism::Gaussian, true, pure(), MomentGoal::Region).error().message(),
      "mechanism is gaussian, but must be asked for with rho, mu, or epsilon and delta: Gaussian noise is never pure; use mechanism = "
      "laplace epsilon = E, which every budget pays, or mechanism = gaussian epsilon = E delta = D, which all but one in epsilon "
      "alone pay");
  EXPECT_EQ(choose_mechanism(MomentMechanism::KNorm, true, approximate(), MomentGoal::Region).error().message(),
            "mechanism is k-norm, but must be asked for with epsilon alone, rho or mu: it needs no delta; for example: mechanism = k-norm "
            "epsilon = 0.5");
}

TEST(MomentDesign, ChargesGaussianNoiseOfEpsilonAndDeltaInTheCurrencyOfTheBudget) {
  EXPECT_TRUE(std::holds_alternative<privacy::ApproximateLoss>(*as_charged(approximate(), privacy::Currency::ApproximateDp)));
  EXPECT_TRUE(std::holds_alternative<privacy::GaussianLoss>(*as_charged(approximate(), privacy::Currency::Zcdp)));
}

}  // namespace
}  // namespace tacet
