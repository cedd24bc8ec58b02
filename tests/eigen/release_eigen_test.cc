#include "tacet/eigen/release_eigen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/noisy_values.h"

#include "eigen/planned_eigen.h"
#include "kernel/ledger_requests.h"
#include "kernel/purse.h"
#include "support/eigenvalues.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::eigen {
namespace {

using kernel::BoxSensitivity;
using kernel::Grant;
using kernel::NoisyNumbers;
using kernel::Relation;

using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::rho_loss;
using testing::sealed;

/// `before` values that move by 10, then the products of columns with these half widths, as the
/// data room bounds them.
BoxSensitivity box(const std::vector<Int128>& half_width, std::size_t before = 0, std::size_t groups = 1,
                   Relation relation = Relation::ReplaceOne) {
  BoxSensitivity bounds{relation, {}, groups, 1, half_width.size()};
  for (std::size_t group = 0; group < groups; ++group) {
    bounds.most.insert(bounds.most.end(), before, 10);
    for (std::size_t j = 0; j < half_width.size(); ++j) {
      for (std::size_t k = j; k < half_width.size(); ++k) bounds.most.push_back((j == k ? 1 : 2) * half_width[j] * half_width[k]);
    }
  }
  return bounds;
}

class EigenRelease : public ::testing::Test {
 protected:
  Grant grant(const char* epsilon) { return purse_.grant(epsilon_loss(epsilon), true); }

 private:
  testing::Purse purse_;
};

TEST(PlanEigen, SharesEpsilonBetweenFiguresAndStepsAndKeepsSomeForNone) {
  const auto plan = plan_eigen(box({100, 7, 30}, 2), {1, 2, 5}, epsilon_loss("0.8"));
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  const double before = 10 / plan->numbers.scale[0] + 10 / plan->numbers.scale[1];
  EXPECT_NEAR(before, 0.3, 1e-9);
  EXPECT_NEAR(plan->epsilon, 0.5, 1e-9);
  EXPECT_LE(before + plan->epsilon, 0.8);
  // Three parts: the eigenvalues, and two directions. The third is free.
  const double used = 2 / plan->eigenvalue_scale + 2 * (2 * plan->concentration);
  EXPECT_LE(used, plan->epsilon);
  EXPECT_NEAR(used, plan->epsilon, 1e-5 * plan->epsilon);
  EXPECT_NEAR(plan->concentration, 0.5 / 3 / 2, 1e-9);
  EXPECT_EQ(plan->half_width, (std::vector<double>{100, 7, 30}));
  EXPECT_DOUBLE_EQ(plan->numbers.scale[2 + 1], plan->eigenvalue_scale * 3 * 100 * 7);
}

TEST(PlanEigen, NeedsHalfTheNoiseWhereOnePersonComesOrGoes) {
  const auto replace = plan_eigen(box({1, 1}), {1}, epsilon_loss("1"));
  const auto remove = plan_eigen(box({1, 1}, 0, 1, Relation::AddOrRemoveOne), {1}, epsilon_loss("1"));
  EXPECT_NEAR(replace->eigenvalue_scale, 4, 1e-5);
  EXPECT_NEAR(remove->eigenvalue_scale, 2, 1e-5);
  EXPECT_NEAR(remove->concentration, 2 * replace->concentration, 1e-9);
  EXPECT_NEAR(plan_eigen(box({3}), {1}, epsilon_loss("1"))->eigenvalue_scale, 1, 1e-5) << "on a line, a replaced person too";
}

TEST(PlanEigen, SharesEpsilonAmongTheStretchesThatOnePersonTouches) {
  BoxSensitivity bounds = box({1, 1}, 1, 3);
  bounds.touched = 2;
  EXPECT_NEAR(plan_eigen(bounds, {1, 1}, epsilon_loss("1"))->epsilon, 0.25, 1e-9);
}

TEST(PlanEigen, RefusesWhatItCannotServe) {
  BoxSensitivity unclaimed = box({1, 1});
  unclaimed.outer_products = 0;
  EXPECT_EQ(
      plan_eigen(unclaimed, {1}, epsilon_loss("1")).error().message(),
      "the mechanism ED is for second moments, and these values are none; release a covariance or a second-moment, or use Laplace noise");
  EXPECT_EQ(plan_eigen(box({1, 1}), {1}, epsilon_delta_loss("1", "1e-6")).error().code(), Code::Unsupported);
  EXPECT_EQ(plan_eigen(box(std::vector<Int128>(65, 1)), {1}, epsilon_loss("1")).error().name(), "columns");
  EXPECT_EQ(plan_eigen(box({1, 1}), {1}, epsilon_loss("1e-10")).error().name(), "epsilon");
  EXPECT_EQ(plan_eigen(box({1, 1}), {0}, epsilon_loss("1")).error().name(), "weight");
  for (const std::vector<double>& weights : {std::vector<double>{}, {1, 1}})
    EXPECT_EQ(plan_eigen(box({1, 1}), weights, epsilon_loss("1")).error().code(), Code::Internal);
  EXPECT_TRUE(plan_eigen(box({1, 1}), {1}, rho_loss("0.5")).ok());
}

/// With a huge epsilon, noise is out of the way: what is left is whether the parts are put together
/// again. The printed algorithm forgets to multiply by d m^2.
TEST_F(EigenRelease, GivesTheMomentsBackWhenNoiseIsNegligible) {
  const std::vector<Int128> half_width = {1000, 10, 200};
  // 10^6 people with moments of full rank, in every unit.
  const std::vector<Int128> products = {
      Int128{400'000} * 1'000'000, 2'000'000'000, 30'000'000'000, 30'000'000, -200'000'000, 9'000'000'000};
  std::vector<Int128> values = {-1234, 77};
  values.insert(values.end(), products.begin(), products.end());
  test::InsecureSeededBits bits(800);
  const auto out = testing::release_planned_eigen(sealed(values, box(half_width, 2)), {1, 1, 1}, grant("100000"), bits);
  ASSERT_TRUE(out.ok()) << out.error().message();
  const NoisyNumbers& numbers = out->value().numbers;
  EXPECT_NEAR(mechanisms::value_of(numbers, 0), -1234, 1e-2);
  EXPECT_NEAR(mechanisms::value_of(numbers, 1), 77, 1e-2);
  std::size_t at = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = j; k < 3; ++k, ++at) {
      const double unit = static_cast<double>(half_width[j] * half_width[k]) * 1e6;
      EXPECT_NEAR(mechanisms::value_of(numbers, 2 + at) / unit, static_cast<double>(products[at]) / unit, 1e-4) << j << k;
    }
  }
  EXPECT_EQ(numbers.relation, Relation(Relation::ReplaceOne));
  EXPECT_EQ(numbers.receipt.charged, "epsilon 100000");
}

TEST_F(EigenRelease, PublishesAMatrixWithTheNoisyEigenvalues) {
  test::InsecureSeededBits bits(810);
  const std::vector<Int128> half_width = {64, 64, 64};
  const auto out =
      testing::release_planned_eigen(sealed({900'000, 1000, -50'000, 400'000, 0, 200'000}, box(half_width)), {1}, grant("2"), bits);
  ASSERT_TRUE(out.ok());
  const NoisyEigen& noisy = out->value();
  test::Matrix matrix(3, std::vector<double>(3));
  std::size_t at = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = j; k < 3; ++k) matrix[j][k] = matrix[k][j] = mechanisms::value_of(noisy.numbers, at++) / (3 * 64.0 * 64.0);
  }
  std::vector<double> published = test::eigenvalues(matrix);
  std::vector<double> drawn = noisy.eigenvalues;
  std::sort(published.begin(), published.end());
  std::sort(drawn.begin(), drawn.end());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(published[i], drawn[i], 1e-2 * noisy.plan.eigenvalue_scale);
}

/// Sees a scale of the eigenvalues that is wrong by about a twentieth, and directions that prefer
/// any side: at equal moments they are uniform.
TEST_F(EigenRelease, DrawsEigenvaluesAndDirectionsOfTheirLaws) {
  const test::Promise promise{.false_alarm = 1e-10, .miss = 1e-10, .shift = 0.02 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("EigenRelease.DrawsEigenvaluesAndDirectionsOfTheirLaws", 4 * promise.false_alarm);
  const std::size_t groups = plan.n;
  std::vector<Int128> values;
  for (std::size_t i = 0; i < groups; ++i) values.insert(values.end(), {20'000, 0, 20'000});
  test::InsecureSeededBits bits(820);
  const auto out = testing::release_planned_eigen(sealed(std::move(values), box({100, 100}, 0, groups)), {1}, grant("1"), bits);
  ASSERT_TRUE(out.ok());
  const NoisyEigen& noisy = out->value();
  std::array<std::uint64_t, 4> count{};
  for (std::size_t i = 0; i < groups; ++i) {
    // Both eigenvalues are 1.
    const double first = (noisy.eigenvalues[2 * i] - 1) / noisy.plan.eigenvalue_scale;
    const double second = (noisy.eigenvalues[2 * i + 1] - 1) / noisy.plan.eigenvalue_scale;
    count[0] += std::abs(first) < 1 ? 1 : 0;
    count[1] += second < 1 ? 1 : 0;
    count[2] += (first < 0) == (second < 0) ? 1 : 0;
    // The angle of the first direction from the first axis, by (0,0) - (1,1) = (first - second)
    // cos(2 angle).
    const double difference = mechanisms::value_of(noisy.numbers, 3 * i) - mechanisms::value_of(noisy.numbers, 3 * i + 2);
    count[3] += (difference > 0) == (first > second) ? 1 : 0;
  }
  const auto expect = [&](std::size_t i, double probability) {
    EXPECT_NEAR(static_cast<double>(count[i]) / static_cast<double>(groups), probability, plan.threshold) << i;
  };
  expect(0, 1 - std::exp(-1.0));
  expect(1, 1 - std::exp(-1.0) / 2);
  expect(2, 0.5);
  expect(3, 0.5);
}

TEST_F(EigenRelease, RefusesASpentGrant) {
  test::InsecureSeededBits bits(830);
  Grant once = grant("1");
  const EigenPlan plan = *plan_eigen(box({1}), {1}, epsilon_loss("1"));
  ASSERT_TRUE(release_eigen(sealed({1}, box({1})), plan, std::move(once), bits).ok());
  const auto again = release_eigen(sealed({1}, box({1})), plan, std::move(once), bits);  // NOLINT(bugprone-use-after-move): what is tested
  EXPECT_EQ(again.error().code(), Code::Internal);
}

TEST_F(EigenRelease, SaysWhatWasSpentWhenItFailsAfterTheCharge) {
  test::FailingBits failing(6);
  const auto without_bits = testing::release_planned_eigen(sealed({1, 0, 1}, box({1, 1})), {1}, grant("1"), failing);
  EXPECT_EQ(without_bits.error().code(), Code::EntropyUnavailable);
  EXPECT_EQ(without_bits.error().spent(), "epsilon 1 was spent (entry 1 of \"patients\")");
  test::InsecureSeededBits bits(840);
  const auto wrong_size = testing::release_planned_eigen(sealed({1, 0}, box({1, 1})), {1}, grant("1"), bits);
  EXPECT_EQ(wrong_size.error().code(), Code::Internal);
  EXPECT_THAT(wrong_size.error().spent(), HasSubstr("epsilon 1 was spent (entry 2"));
  const EigenPlan too_little = *plan_eigen(box({1, 1}), {1}, epsilon_loss("1.5"));
  const auto refused = release_eigen(sealed({1, 0, 1}, box({1, 1})), too_little, grant("1"), bits);
  EXPECT_THAT(refused.error().message(), HasSubstr("the planned noise would give away more than was charged, so nothing was published"));
  EXPECT_THAT(refused.error().spent(), HasSubstr("was spent (entry 3"));
}

TEST_F(EigenRelease, RefusesAPlanWithAnyOfItsNoiseTooSmallByOnePartInABillion) {
  test::InsecureSeededBits bits(845);
  const BoxSensitivity bounds = box({100, 7, 30}, 2, 2);
  const std::vector<Int128> values(bounds.most.size(), 5);
  const auto released = [&](const EigenPlan& plan) { return release_eigen(sealed(values, bounds), plan, grant("0.8"), bits); };
  const EigenPlan plan = *plan_eigen(bounds, {1, 2, 5}, epsilon_loss("0.8"));
  ASSERT_TRUE(released(plan).ok());
  constexpr double kLess = 1 - 1e-9;
  std::vector<EigenPlan> faults(4, plan);
  faults[0].eigenvalue_scale *= kLess;
  faults[1].concentration /= kLess;
  faults[2].numbers.scale[1] *= kLess;
  faults[3].numbers.scale[9] *= kLess;  // the second group's
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const auto refused = released(faults[i]);
    ASSERT_FALSE(refused.ok()) << i;
    EXPECT_THAT(refused.error().message(), HasSubstr("would give away more than was charged")) << i;
  }
  std::vector<EigenPlan> misshapen(7, plan);
  misshapen[0].half_width[4] *= kLess;
  misshapen[1].half_width.pop_back();
  misshapen[2].columns = 2;
  misshapen[3].stretch = 4;
  misshapen[4].numbers.grid_log2[0] = 79;
  misshapen[5].eigenvalue_scale = std::nan("");
  misshapen[6].numbers.scale[0] = 0;
  for (std::size_t i = 0; i < misshapen.size(); ++i) {
    const auto refused = released(misshapen[i]);
    ASSERT_FALSE(refused.ok()) << i;
    EXPECT_THAT(refused.error().message(), HasSubstr("a plan must have the values and the products of its box")) << i;
  }
}

TEST_F(EigenRelease, ServesMomentsOfNobodyAndOfTheLargestFile) {
  test::InsecureSeededBits bits(850);
  EXPECT_TRUE(testing::release_planned_eigen(sealed({0, 0, 0}, box({5, 5})), {1}, grant("1"), bits).ok());
  const Int128 huge = Int128{1} << 97U;
  EXPECT_TRUE(testing::release_planned_eigen(sealed({huge, -huge, huge}, box({1 << 26, 1 << 26})), {1}, grant("1"), bits).ok());
  EXPECT_TRUE(testing::release_planned_eigen(sealed({huge, 0, 0}, box({1 << 26, 1 << 26})), {1}, grant("10000"), bits).ok());
}

// ---- What the print gets wrong about privacy. m = 1; a point stands for `weight` people. ----

struct Point {
  std::vector<double> x;
  double weight;
};

test::Matrix scatter(const std::vector<Point>& points, bool about_their_mean) {
  const std::size_t d = points[0].x.size();
  std::vector<double> centre(d, 0.0);
  double people = 0;
  for (const Point& point : points) {
    people += point.weight;
    for (std::size_t j = 0; j < d; ++j) centre[j] += point.weight * point.x[j];
  }
  for (double& value : centre) value = about_their_mean ? value / people : 0;
  test::Matrix out(d, std::vector<double>(d));
  for (const Point& point : points) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < d; ++k) out[j][k] += point.weight * (point.x[j] - centre[j]) * (point.x[k] - centre[k]);
    }
  }
  return out;
}

/// By how much the eigenvalues of the scatter over d change in sum when `from` becomes `to`. The
/// noise allows 2.
double eigenvalue_change(std::vector<Point> others, const std::vector<double>& from, const std::vector<double>& to, bool about_their_mean) {
  const auto sorted = [&](const std::vector<double>& person) {
    others.push_back({person, 1});
    std::vector<double> values = test::eigenvalues(scatter(others, about_their_mean));
    others.pop_back();
    std::sort(values.begin(), values.end());
    return values;
  };
  const std::vector<double> before = sorted(from);
  const std::vector<double> after = sorted(to);
  double sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i) sum += std::abs(before[i] - after[i]);
  return sum / static_cast<double>(before.size());
}

TEST(EigenvalueChange, AboutTheMeanOfTheDataIsTwiceWhatThePrintAllows) {
  EXPECT_NEAR(eigenvalue_change({{{-1}, 999}}, {1}, {-1}, true), 3.996, 1e-9);
  // Others at a corner, and enough of them elsewhere to hold the eigenvectors where the change of
  // the matrix has its own.
  const std::vector<Point> others = {{{-1, -1}, 1e8}, {{std::sqrt(5.0) - 2, 1}, 1e4}};
  EXPECT_NEAR(eigenvalue_change(others, {1, 1}, {1, -1}, true), std::sqrt(20.0), 5e-3);
}

TEST(EigenvalueChange, AboutThePublicCentreIsAtMostWhatTheNoiseAllows) {
  EXPECT_LE(eigenvalue_change({{{-1}, 999}}, {1}, {-1}, false), 1e-9);
  EXPECT_NEAR(eigenvalue_change({{{-1}, 999}}, {1}, {0}, false), 1, 1e-9);
  const std::vector<Point> others = {{{-1, -1}, 1e8}, {{std::sqrt(5.0) - 2, 1}, 1e4}};
  EXPECT_LE(eigenvalue_change(others, {1, 1}, {1, -1}, false), 2 + 1e-4);
  // The bound is reached: corners that are orthogonal, and people who hold the eigenvectors there.
  EXPECT_NEAR(eigenvalue_change({{{1, 1}, 50}, {{1, -1}, 20}}, {1, 1}, {1, -1}, false), 2, 1e-9);
  test::InsecureSeededBits bits(860);
  const auto uniform = [&] { return std::ldexp(static_cast<double>(bits.word() >> 11U), -52) - 1; };
  double largest = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t d = 1 + static_cast<std::size_t>(bits.word() % 4);
    const auto corner = [&] {
      std::vector<double> x(d);
      for (double& value : x) value = bits.word() % 4 == 0 ? uniform() : std::copysign(1, uniform());
      return x;
    };
    const std::vector<Point> around = {{corner(), 10 + 10 * uniform()}, {corner(), 3}, {corner(), 100}};
    largest = std::max(largest, eigenvalue_change(around, corner(), corner(), false));
  }
  EXPECT_LE(largest, 2 + 1e-9);
  EXPECT_GT(largest, 1.9) << "the search is too weak to be of use";
}

}  // namespace
}  // namespace tacet::eigen
