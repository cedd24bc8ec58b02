#include "tacet/planning/clip.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::planning {
namespace {

using ::testing::HasSubstr;

TEST(PlanClip, AgreesWithIndependentValues) {
  const ClipPlan two = *plan_clip(std::vector<double>{0.13271850395884674, 2.521189552141073}, 80863);
  EXPECT_NEAR(two.clip / 4.2663600887115045, 1, 1e-9);
  EXPECT_NEAR(two.error / 512.7985077695216, 1, 1e-9);
  EXPECT_NEAR(two.isotropic_error / 971.6954712690249, 1, 1e-9);
  const ClipPlan five = *plan_clip(
      std::vector<double>{1.0737316834713575, 1.4557537797338134, 7.539417600206835, 4.6412762266167045, 0.3520859887438398}, 16398);
  EXPECT_NEAR(five.clip / 2.9598096764806376, 1, 1e-9);
  EXPECT_NEAR(five.error / 7950.0186427025865, 1, 1e-9);
  EXPECT_NEAR(five.isotropic_error / 18892.37965307107, 1, 1e-9);
  const ClipPlan twenty = *plan_clip(
      std::vector<double>{1.2402033224400606, 0.9580298524024325,  0.666841899355701,   0.2129109910636255,  1.0273950007615682,
                          1.3470555710623187, 9.787850265113578,   0.5834811286319037,  1.8889291997150832,  1.440855923807032,
                          2.8377044272747676, 2.1677911108692722,  2.494701180412117,   7.66373170731467,    2.1349910472727123,
                          0.1093831133241736, 0.14977144697425118, 0.13741868945458915, 0.35553026298310186, 0.18749493754052146},
      138);
  EXPECT_NEAR(twenty.clip / 1.709302257232311, 1, 1e-9);
  EXPECT_NEAR(twenty.error / 16340.177308529628, 1, 1e-9);
  EXPECT_NEAR(twenty.isotropic_error / 66362.00546748773, 1, 1e-9);
}

TEST(PlanClip, BernsteinsBoundIsAboveTheTruthWhereItHolds) {
  const std::vector<double> many(2000, 1.5);
  const ClipPlan plan = *plan_clip(many, 1000);
  ASSERT_TRUE(plan.bernstein_error);
  EXPECT_GT(*plan.bernstein_error, plan.error);
  EXPECT_FALSE(plan_clip(std::vector<double>{1, 1}, 1000)->bernstein_error) << "its condition fails in few dimensions";
}

TEST(PlanClip, EqualDeviationsNeedNoTransformation) {
  const ClipPlan plan = *plan_clip(std::vector<double>(7, 0.25), 500);
  EXPECT_NEAR(plan.error / plan.isotropic_error, 1, 1e-12);
}

TEST(PlanClip, RefusesWhatMakesNoSense) {
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e40}) {
    const auto refused = plan_clip(std::vector<double>{1, wrong}, 10);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message(), HasSubstr("sd is "));
  }
  EXPECT_THAT(plan_clip(std::vector<double>{}, 10).error().message(), HasSubstr("a list of 0"));
  EXPECT_THAT(plan_clip(std::vector<double>{1}, 1).error().message(), HasSubstr("n is 1"));
}

}  // namespace
}  // namespace tacet::planning
