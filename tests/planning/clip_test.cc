#include "tacet/planning/clip.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/normal.h"
#include "tacet/numeric/weighted_chi2.h"

#include "support/eigenvalues.h"

namespace tacet::planning::clip_test {
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

// A column of some 10^15 times smaller units adds next to nothing to the length of a row: slopes of
// the quantile were lost to rounding, and the plan was refused because a "weight is -nan".
TEST(PlanClip, ColumnsMayHaveAnyUnits) {
  for (const double small : {1e-30, 1e-9, 1e-6, 1e-3}) {
    for (const double n : {2.0, 1000.0, 1e4, 1e12}) {
      const auto plan = plan_clip({.sd = {small, 1e9}, .n = static_cast<std::int64_t>(n)});
      ASSERT_TRUE(plan.ok()) << small << " " << n << ": " << plan.error().message();
      EXPECT_LE(plan->best_error, plan->error * (1 + 1e-9)) << small << " " << n;
      const double alone = 4 * std::pow(1e9 * numeric::normal_upper_quantile(1 / n / 2), 2);
      EXPECT_NEAR(plan->best_error / alone, 1, 0.01) << small << " " << n;
    }
  }
}

TEST(PlanClip, FindsTheFactorsOfTheLeastError) {
  // Independent values: the same minimum by another program.
  const ClipPlan three = *plan_clip({.sd = {0.5, 2, 10}, .n = 10000});
  EXPECT_NEAR(three.error, 7706.534737867362, 1e-5);
  EXPECT_NEAR(three.best_error, 7024.0993448746, 1e-5);
  EXPECT_NEAR(three.best_clip, 3.0888790706205307, 1e-6);
  std::vector<double> ones_and_a_five(20, 1.0);
  ones_and_a_five.push_back(5);
  const ClipPlan twenty_one = *plan_clip({.sd = ones_and_a_five, .n = 1000000});
  EXPECT_NEAR(twenty_one.error, 14207.133857025556, 1e-4);
  EXPECT_NEAR(twenty_one.best_error, 9910.0074663, 1e-4);
  const ClipPlan five = *plan_clip({.sd = {1, 2, 3, 4, 5}, .n = 1000000});
  EXPECT_NEAR(five.error, 8212.344268026383, 1e-4);
  EXPECT_NEAR(five.whitened_error, 7895.401113528032, 1e-4);
  EXPECT_NEAR(five.best_error, 7413.92727322, 1e-4);
}

/// 4 C^2 sum sd^2/w for weights w, from its definition.
double error_of_weights(const std::vector<double>& variances, const std::vector<double>& weights, double gamma) {
  double cost = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) cost += variances[j] / weights[j];
  return 4 * numeric::WeightedChi2::of_weights(weights)->upper_quantile(gamma) * cost;
}

TEST(PlanClip, NoOtherFactorsHaveLessError) {
  numeric::InsecureStream stream(3, 0);
  for (const double gamma : {0.1, 1e-4, 1e-9}) {
    for (const std::vector<double>& sd : {std::vector<double>{0.5, 2, 10}, {1, 2, 3, 4, 5}, {1, 1, 1, 30}}) {
      const ClipPlan plan = *plan_clip({.sd = sd, .n = 1000, .gamma = gamma});
      std::vector<double> variances, best;
      for (std::size_t j = 0; j < sd.size(); ++j) {
        variances.push_back(sd[j] * sd[j]);
        best.push_back(plan.best_factors[j] * plan.best_factors[j] * variances[j]);
      }
      EXPECT_NEAR(error_of_weights(variances, best, gamma) / plan.best_error, 1, 1e-9);
      EXPECT_NEAR(std::accumulate(best.begin(), best.end(), 0.0), 1, 1e-9) << "lengths are in root mean squares";
      for (int trial = 0; trial < 300; ++trial) {
        std::vector<double> other = best;
        const double apart = std::exp(-8 * stream.uniform()) * 3;
        for (double& weight : other) weight *= std::exp(apart * (2 * stream.uniform() - 1));
        EXPECT_GE(error_of_weights(variances, other, gamma), plan.best_error * (1 - 1e-9));
      }
      for (const double error : {plan.error, plan.isotropic_error, plan.whitened_error}) EXPECT_GE(error, plan.best_error * (1 - 1e-12));
    }
  }
}

/// The product of a matrix and another, transposed: a b'.
test::Matrix times_transposed(const test::Matrix& a, const test::Matrix& b) {
  test::Matrix product(a.size(), std::vector<double>(b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product[i][j] = std::inner_product(a[i].begin(), a[i].end(), b[j].begin(), 0.0);
  }
  return product;
}

/// 4 C^2 trace((map'map)^-1) from its definition; map map' has the eigenvalues of map'map.
double error_of_map(const test::Matrix& map, const test::Matrix& covariance, double gamma) {
  const std::vector<double> weights = test::eigenvalues(times_transposed(times_transposed(map, covariance), map));
  double trace = 0;
  for (const double value : test::eigenvalues(times_transposed(map, map))) trace += 1 / value;
  return 4 * numeric::WeightedChi2::of_weights(weights)->upper_quantile(gamma) * trace;
}

TEST(PlanClip, NoOtherLinearMapOfCorrelatedColumnsHasLessError) {
  const test::Matrix sigma = {{4, 1.5, -0.5}, {1.5, 1, 0.2}, {-0.5, 0.2, 9}};
  constexpr double kGamma = 1e-4;
  const ClipPlan plan = *plan_clip({.covariance = mechanisms::Matrix{3, 3, {4, 1.5, -0.5, 1.5, 1, 0.2, -0.5, 0.2, 9}}, .n = 10000});
  test::Matrix best(3, std::vector<double>(3));
  test::Matrix lemma = best;
  test::Matrix plain = best;
  for (std::size_t i = 0; i < 3; ++i) {
    lemma[i][i] = plan.factors[i];
    plain[i][i] = 1;
    for (std::size_t j = 0; j < 3; ++j) best[i][j] = plan.best_map.at(i, j);
  }
  EXPECT_NEAR(error_of_map(best, sigma, kGamma) / plan.best_error, 1, 1e-9);
  EXPECT_NEAR(error_of_map(lemma, sigma, kGamma) / plan.error, 1, 1e-9);
  EXPECT_NEAR(error_of_map(plain, sigma, kGamma) / plan.isotropic_error, 1, 1e-9);
  EXPECT_FALSE(plan.bernstein_error) << "which holds for independent columns";
  numeric::InsecureStream stream(5, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    const double apart = std::exp(-7 * stream.uniform());
    test::Matrix other = best;
    for (std::vector<double>& line : other) {
      for (double& one : line) one += apart * (2 * stream.uniform() - 1);
    }
    EXPECT_GE(error_of_map(other, sigma, kGamma), plan.best_error * (1 - 1e-9));
  }
}

TEST(PlanClip, TakesAShareOrARadiusOrAnOffset) {
  const ClipPlan share = *plan_clip({.sd = {1, 3}, .n = 100, .gamma = 1e-3});
  EXPECT_EQ(share.gamma, 1e-3);
  const ClipPlan radius = *plan_clip({.sd = {1, 3}, .n = 100, .radius = share.best_clip});
  EXPECT_NEAR(radius.gamma, 1e-3, 1e-7);
  EXPECT_NEAR(radius.best_error / share.best_error, 1, 1e-6);
  EXPECT_NEAR(radius.clip, share.best_clip, 1e-12) << "a radius is the same for every map";
  // Off the centre a longer radius clips the same share: noncentral lengths, by simulation.
  const ClipPlan off = *plan_clip({.sd = {1, 3}, .n = 100, .gamma = 0.05, .offset = {2, -3}});
  numeric::InsecureStream stream(9, 0);
  constexpr int kRows = 200'000;
  int beyond = 0;
  for (int i = 0; i < kRows; ++i) {
    const double x = off.best_factors[0] * (2 + numeric::normal_upper_quantile(stream.uniform()));
    const double y = off.best_factors[1] * (-3 + 3 * numeric::normal_upper_quantile(stream.uniform()));
    beyond += std::hypot(x, y) > off.best_clip ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(beyond) / kRows, 0.05, 0.0025) << "with a fixed seed; five standard errors";
}

TEST(PlanClip, ManyDifferentDeviationsAreNearTheBest) {
  std::vector<double> sd;
  for (int j = 0; j < 100; ++j) sd.push_back(1 + 0.2 * j);
  const ClipPlan plan = *plan_clip({.sd = sd, .n = 10000});
  EXPECT_LT(plan.best_error, plan.error);
  EXPECT_LT(plan.best_error, plan.whitened_error);
}

TEST(PlanClip, ChebyshevsBoundIsAboveTheTruth) {
  const ClipPlan plan = *plan_clip({.sd = {1, 2, 3}, .n = 1000});
  const double sum = 6;
  EXPECT_NEAR(*plan.chebyshev_error, 4 * sum * sum * (1 + std::sqrt(1000.0) * std::sqrt(2 * 14 / 36.0)), 1e-9);
  EXPECT_GT(*plan.chebyshev_error, plan.error);
}

TEST(PlanClip, RefusesWhatMakesNoSense) {
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e40}) {
    const auto refused = plan_clip(std::vector<double>{1, wrong}, 10);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message(), HasSubstr("sd is "));
  }
  EXPECT_THAT(plan_clip(std::vector<double>{}, 10).error().message(), HasSubstr("a list of 0"));
  EXPECT_THAT(plan_clip(std::vector<double>{1}, 1).error().message(), HasSubstr("n is 1"));
  const mechanisms::Matrix singular{2, 2, {1, 1, 1, 1}};
  EXPECT_EQ(plan_clip({.covariance = singular, .n = 10}).error().name(), "covariance");
  EXPECT_EQ(plan_clip({.sd = {1, 1}, .covariance = singular, .n = 10}).error().name(), "sd");
  EXPECT_EQ(plan_clip({.sd = {1}, .n = 10, .gamma = 0.7}).error().name(), "gamma");
  EXPECT_EQ(plan_clip({.sd = {1}, .n = 10, .gamma = 0.1, .radius = 2}).error().name(), "radius");
  EXPECT_THAT(plan_clip({.sd = {1, 2}, .n = 10, .radius = 100}).error().message(), HasSubstr("radius is 100, but must be from"));
  EXPECT_EQ(plan_clip({.sd = {1, 2}, .n = 10, .offset = {1}}).error().name(), "offset");
}

}  // namespace
}  // namespace tacet::planning::clip_test
