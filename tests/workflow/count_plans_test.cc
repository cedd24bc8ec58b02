// Plans for tests of counts: the power of people, the people for a power, and curves.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/workflow/plan/goodness_of_fit_plan.h"
#include "tacet/workflow/plan/homogeneity_plan.h"
#include "tacet/workflow/plan/independence_plan.h"

namespace tacet {
namespace {

const std::vector<double> kNull = {0.5, 0.3, 0.2};
const std::vector<double> kOther = {0.52, 0.29, 0.19};

TEST(PlanIndependence, FindsThePeopleThatAWantedPowerNeeds) {
  const Matrix joint{2, 2, {0.27, 0.23, 0.23, 0.27}};
  const auto people = plan_independence(joint, {.loss = Rho(0.01), .power = 0.8});
  ASSERT_TRUE(people.ok()) << people.error().message();
  EXPECT_EQ(people->n, 1545);
  EXPECT_TRUE(people->people_wanted);
  EXPECT_GE(people->power, 0.8);
  EXPECT_EQ(people->noise->family, kernel::NoiseFamily::Gaussian);
  EXPECT_NEAR(people->least_expected, 1545 * 0.25, 1e-9);
  EXPECT_NEAR(plan_independence(joint, {.loss = Rho(0.01), .n = 2000})->power, 0.9042, 1e-4);
}

TEST(PlanIndependence, RefusesATableOfOneRow) {
  EXPECT_EQ(plan_independence(Matrix{1, 2, {0.5, 0.5}}, {.loss = Rho(0.01), .n = 100}).error().message(),
            "alternative is a table of 1 x 2, but must have at least two rows and two columns; for example [[0.3, 0.2], [0.2, 0.3]]");
  EXPECT_EQ(plan_independence(Matrix{2, 2, {0.5, 0.5}}, {.loss = Rho(0.01), .n = 100}).error().message(),
            "alternative is 2 probabilities, but must have 4 cells");
}

TEST(PlanGoodnessOfFit, TakesNoiseFromTheLoss) {
  const auto rho = plan_goodness_of_fit(kNull, kOther, {.loss = Rho("0.01"), .n = 5000});
  ASSERT_TRUE(rho.ok()) << rho.error().message();
  EXPECT_NEAR(rho->noise->scale, 10, 1e-9);
  EXPECT_EQ(rho->standard_error, std::nullopt);
  EXPECT_EQ(rho->draws, std::nullopt);
  EXPECT_EQ(rho->reason, std::nullopt);
  ASSERT_EQ(rho->powers.size(), 3);
  EXPECT_EQ(rho->powers[1].statistic, GofStatistic::Projected);
  EXPECT_EQ(rho->powers[1].power, rho->power);
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, {.loss = Epsilon("0.2"), .n = 5000})->noise->family, kernel::NoiseFamily::Laplace);
  const auto kept = plan_goodness_of_fit(kNull, kOther, {.loss = Rho("0.01"), .mechanism = CountMechanism::RankDeficient, .n = 5000});
  EXPECT_EQ(kept->noise->structure, mechanisms::NoiseStructure::SumZero);
}

TEST(PlanGoodnessOfFit, SimulatesAndDrawsCurvesOnRequest) {
  const CountPlanOptions options{
      .loss = Epsilon("0.2"), .n = 5000, .method = PowerMethod::Simulation, .simulation = {.draws = 999, .seed = 4}, .curves = true};
  const auto plan = plan_goodness_of_fit(kNull, kOther, options);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->draws, 999U);
  EXPECT_EQ(plan->seed, 4);
  EXPECT_GT(plan->standard_error.value_or(0), 0);
  ASSERT_TRUE(plan->curves.has_value());
  EXPECT_EQ(plan->curves->people.front(), 250);
  EXPECT_EQ(plan->curves->curves.size(), 3);
}

TEST(PlanGoodnessOfFit, SaysWhyThePowerIsBelowTheLevel) {
  bool below = false;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {  // of a deviation that is none
    const auto plan = plan_goodness_of_fit(
        kNull, kNull, {.loss = Rho("0.01"), .n = 500, .method = PowerMethod::Simulation, .simulation = {.draws = 199, .seed = seed}});
    ASSERT_TRUE(plan.ok()) << plan.error().message();
    EXPECT_EQ(plan->reason.has_value(), plan->power < plan->alpha);
    if (!plan->reason) continue;
    EXPECT_EQ(*plan->reason, "the deviation is so small beside sampling and noise that only chance finds it");
    below = true;
  }
  EXPECT_TRUE(below) << "the seeds are fixed";
}

TEST(PlanGoodnessOfFit, PlansForReportsThatPeopleRandomise) {
  const auto plan = plan_goodness_of_fit(kNull, kOther, {.loss = Epsilon(1), .local = LocalKind::Exp, .n = 20'000});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->statistic, GofStatistic::Classical);
  EXPECT_EQ(plan->randomizer->kind, LocalKind::Exp);
  EXPECT_FALSE(plan->noise);
  ASSERT_EQ(plan->randomizers.size(), 4);
  EXPECT_EQ(plan->randomizers[0].power, plan->power);
  EXPECT_GT(plan->power, *plan->randomizers[1].power) << "flip needs more categories";
  EXPECT_FALSE(plan->randomizers[2].power) << "Gaussian noise keeps no epsilon alone";
  EXPECT_TRUE(plan->randomizers[3].power);
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, {.loss = Rho(1), .local = LocalKind::Exp, .n = 100}).error().name(), "privacy");
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, {.loss = Epsilon(1), .mechanism = CountMechanism::Laplace, .local = LocalKind::Exp, .n = 9})
                .error()
                .message(),
            "mechanism is laplace, but must be left out where people randomise their reports; local names the randomizer");
  const Matrix joint{2, 2, {0.3, 0.2, 0.2, 0.3}};
  const auto table = plan_independence(joint, {.loss = Epsilon(1), .local = LocalKind::Flip, .power = 0.8});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table->randomizers[1].power, table->power);
}

TEST(PlanGoodnessOfFit, PlansForDenoisedTablesBySimulation) {
  const CountPlanOptions options{.loss = Rho("0.01"), .n = 2000, .simulation = {.draws = 499}, .project = Projection::Simplex};
  const auto plan = plan_goodness_of_fit(kNull, kOther, options);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_EQ(plan->statistic, GofStatistic::Classical);
  EXPECT_EQ(plan->method, PowerMethod::Simulation);
  EXPECT_EQ(plan->project, Projection::Simplex);
  CountPlanOptions wrong = options;
  wrong.method = PowerMethod::Asymptotic;
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, wrong).error().message(),
            "method is asymptotic, but must be simulation for a denoised table; leave method out");
  wrong = options;
  wrong.statistic = GofStatistic::Projected;
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, wrong).error().name(), "statistic");
  wrong = options;
  wrong.project = Projection::Bounds;
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, wrong).error().name(), "project");
  wrong = options;
  wrong.local = LocalKind::Exp;
  wrong.loss = Epsilon(1);
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, wrong).error().name(), "local");
}

TEST(PlanGoodnessOfFit, TellsTheVarianceOfEachStatisticAndTheLevelOfANaiveTest) {
  const auto plan = plan_goodness_of_fit(kNull, kOther, {.loss = Rho("0.001"), .n = 2000});
  for (const StatisticPower& one : plan->powers) EXPECT_GT(one.variance.value_or(0), 4) << name(one.statistic);
  EXPECT_GT(plan->naive_level.value_or(0), 0.4);
}

TEST(PlanHomogeneity, ComparesGroupsOfSeveralReleasesOrOfOne) {
  const Matrix groups{2, 3, {0.5, 0.3, 0.2, 0.45, 0.33, 0.22}};
  const auto separate = plan_homogeneity(groups, {.loss = Rho("0.01"), .n = 4000});
  ASSERT_TRUE(separate.ok()) << separate.error().message();
  const auto one = plan_homogeneity(groups, {.loss = Rho("0.01"), .n = 4000}, {.one_release = true});
  EXPECT_LT(one->power, separate->power) << "noisy totals";
  EXPECT_LT(plan_homogeneity(groups, {.loss = Rho("0.01"), .n = 4000}, {.shares = std::vector<double>{9, 1}})->power, separate->power);
  EXPECT_NEAR(separate->least_expected, 2000 * 0.21, 1e-9);
  const auto denoised =
      plan_homogeneity(groups, {.loss = Rho("0.01"), .n = 4000, .simulation = {.draws = 499}, .project = Projection::Nonnegative});
  EXPECT_EQ(denoised->method, PowerMethod::Simulation);
  EXPECT_EQ(plan_homogeneity(groups, {.loss = Rho("0.01"), .mechanism = CountMechanism::RankDeficient, .n = 4000}, {.one_release = true})
                .error()
                .name(),
            "mechanism");
  EXPECT_EQ(plan_homogeneity(groups, {.loss = Epsilon(1), .local = LocalKind::Exp, .n = 4000}).error().name(), "local");
}

TEST(PlanGoodnessOfFit, WantsPeopleOrPower) {
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, {.loss = Rho("0.01")}).error().message(),
            "n is missing, but must be given where the power is asked for, and left out where people are; for example: n = 1000 for the "
            "power, or power = 0.8 for the people");
  EXPECT_EQ(
      plan_goodness_of_fit(kNull, kOther, {.loss = Rho("0.01"), .n = 10, .power = 0.8}).error().message(),
      "n is given with a wanted power, but must be given where the power is asked for, and left out where people are; for example: n = "
      "1000 for the power, or power = 0.8 for the people");
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, {.loss = Rho("0.01"), .power = 0.01}).error().message(),
            "power is 0.01, but must be greater than alpha and less than 1; for example: power = 0.8");
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, {.n = 10}).error().name(), "privacy");
  EXPECT_EQ(plan_goodness_of_fit(kNull, kOther, {.loss = Rho("0.01"), .n = 10, .alpha = 0}).error().name(), "alpha");
  EXPECT_EQ(plan_goodness_of_fit(kNull, {0.5, 0.5}, {.loss = Rho("0.01"), .n = 10}).error().name(), "alternative");
}

}  // namespace
}  // namespace tacet
