#include <cmath>
#include <utility>

#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tacet/accounting/conversion.h"
#include "tacet/exact/uniform.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/noisy_values.h"

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::release_k_norm_test {
namespace {

using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::mu_loss;
using testing::rho_loss;
using testing::sealed;

constexpr Int128 kOne = 1;

BoxSensitivity box(std::vector<Int128> most, std::size_t groups = 1, std::size_t touched = 1) {
  return {Relation::ReplaceOne, std::move(most), groups, touched};
}

mpz_class big(Int128 value) { return exact::to_big(static_cast<UInt128>(value)); }

/// The exact claim of a plan: every coordinate moves by at most `epsilon/touched` scales.
void expect_enough(const CubePlan& plan, const BoxSensitivity& bounds, const mpq_class& epsilon) {
  for (std::size_t j = 0; j < bounds.most.size(); ++j) {
    const mpq_class scales = mpq_class(big(plan.multiples[j]) * big(bounds.most[j])) / big(plan.scale);
    EXPECT_TRUE(scales * static_cast<unsigned long>(bounds.touched) <= epsilon) << j;
    if (bounds.most[j] == 0) continue;
    EXPECT_TRUE(scales * static_cast<unsigned long>(bounds.touched) > epsilon * mpq_class(1 - 0x1p-19)) << j;
  }
  EXPECT_GE(plan.scale, kOne << 30U);
}

class KNormRelease : public ::testing::Test {
 protected:
  Grant grant(const char* epsilon) { return purse_.grant(epsilon_loss(epsilon)); }

 private:
  testing::Purse purse_;
};

TEST(PlanKNorm, HasEnoughNoiseAndHardlyMoreForEveryBoundAndLoss) {
  for (const auto& most : std::vector<std::vector<Int128>>{{1}, {1, 2, 3}, {7, 1 << 20, 12345}, {kOne << 60U, 1}, {999'999'937}}) {
    for (const char* epsilon : {"1", "0.1", "0.3333333333333333333333333333", "17", "1e-6", "1000000"}) {
      const auto plan = mechanisms::plan_k_norm(box(most), epsilon_loss(epsilon));
      ASSERT_TRUE(plan.ok()) << plan.error().message();
      expect_enough(*plan, box(most), Decimal::parse(epsilon)->to_rational());
    }
  }
}

TEST(PlanKNorm, SharesEpsilonAmongTheStretchesThatOnePersonTouches) {
  const BoxSensitivity bounds = box({5, 3, 5, 3, 5, 3}, 3, 2);
  const auto plan = mechanisms::plan_k_norm(bounds, epsilon_loss("1"));
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->stretch, 2U);
  expect_enough(*plan, bounds, 1);
  EXPECT_NEAR(mechanisms::scale_of(*plan, 0) / mechanisms::scale_of(*mechanisms::plan_k_norm(box({5, 3}), epsilon_loss("1")), 0), 2, 1e-5);
}

TEST(PlanKNorm, SpendsTheLargestEpsilonThatImpliesMuAndRho) {
  const double epsilon = *accounting::pure_epsilon_for_gdp(1.0);
  const BoxSensitivity bounds = box({3, 4});
  expect_enough(*mechanisms::plan_k_norm(bounds, mu_loss("1")), bounds, mpq_class(epsilon));
  expect_enough(*mechanisms::plan_k_norm(bounds, rho_loss("0.5")), bounds, mpq_class(epsilon));
}

TEST(PlanKNorm, TreatsACoordinateThatCannotMoveAsOneThatMovesByOneUnit) {
  const auto plan = mechanisms::plan_k_norm(box({0, 4}), epsilon_loss("1"));
  EXPECT_EQ(plan->multiples[0], 4 * plan->multiples[1]);
}

TEST(PlanKNorm, KnowsTheScaleOfItsNoise) {
  const auto plan = mechanisms::plan_k_norm(box(std::vector<Int128>(10, 6)), epsilon_loss("0.5"));
  EXPECT_NEAR(mechanisms::scale_of(*plan, 3), 12, 1e-4);
}

TEST(PlanKNorm, RefusesWhatItCannotServe) {
  EXPECT_EQ(mechanisms::plan_k_norm(box({1}), epsilon_delta_loss("1", "1e-6")).error().code(), Code::Unsupported);
  EXPECT_THAT(mechanisms::plan_k_norm(box({1}), epsilon_delta_loss("1", "1e-6")).error().message(),
              HasSubstr("K-norm noise needs no delta"));
  EXPECT_EQ(mechanisms::plan_k_norm(box({(kOne << 60U) + 1}), epsilon_loss("1")).error().name(), "bound");
  EXPECT_EQ(mechanisms::plan_k_norm(box(std::vector<Int128>(1025, 1)), epsilon_loss("1")).error().name(), "coordinates");
  EXPECT_TRUE(mechanisms::plan_k_norm(box(std::vector<Int128>(2 * 1024, 1), 2), epsilon_loss("1")).ok());
  EXPECT_EQ(mechanisms::plan_k_norm(box({1}), epsilon_loss("1e-7")).error().name(), "epsilon");
  EXPECT_EQ(mechanisms::plan_k_norm(box({1}), epsilon_loss("1e-300")).error().name(), "epsilon");
  EXPECT_EQ(mechanisms::plan_k_norm(box({1, 1, 1}, 3, 3), epsilon_loss("2e-6")).error().name(), "epsilon");
  for (const BoxSensitivity& wrong : {box({}), box({1, 1, 1}, 2), box({1}, 0), box({1}, 1, 0), box({1, 1}, 2, 3)})
    EXPECT_EQ(mechanisms::plan_k_norm(wrong, epsilon_loss("1")).error().code(), Code::Internal);
}

TEST_F(KNormRelease, MovesEveryCoordinateByItsMultipleOfTheValueForTheSameBits) {
  const std::vector<Int128> most = {3, 100, 1};
  test::InsecureSeededBits first(600);
  test::InsecureSeededBits second(600);
  const auto at_zero = testing::release_planned_k_norm(sealed({0, 0, 0}, box(most)), grant("1"), first);
  const auto moved = testing::release_planned_k_norm(sealed({-5, kOne << 70U, 7}, box(most)), grant("1"), second);
  ASSERT_TRUE(at_zero.ok() && moved.ok());
  const NoisyCube& a = at_zero->value();
  const NoisyCube& b = moved->value();
  EXPECT_EQ(b.ticks[0] - a.ticks[0], -5 * a.plan.multiples[0]);
  EXPECT_EQ(b.ticks[1] - a.ticks[1], (kOne << 70U) * a.plan.multiples[1]);
  EXPECT_EQ(b.ticks[2] - a.ticks[2], 7 * a.plan.multiples[2]);
  EXPECT_DOUBLE_EQ(mechanisms::value_of(b, 1), static_cast<double>(b.ticks[1]) / static_cast<double>(b.plan.multiples[1]));
  EXPECT_EQ(b.relation, Relation(Relation::ReplaceOne));
  EXPECT_EQ(b.receipt.charged, "epsilon 1");
}

/// Sees coordinates, or stretches, that share their noise, and a variance wrong by a fifth:
/// Hoeffding for indicators, at gamma quantiles.
TEST_F(KNormRelease, DrawsOnceForEachStretch) {
  const test::Promise promise{.false_alarm = 1e-10, .miss = 1e-10, .shift = 0.02 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("KNormRelease.DrawsOnceForEachStretch", 2 * promise.false_alarm);
  const std::size_t stretches = plan.n;
  test::InsecureSeededBits bits(610);
  const auto out = testing::release_planned_k_norm(
      sealed(std::vector<Int128>(2 * stretches, 0), box(std::vector<Int128>(2 * stretches, 1), stretches)), grant("1"), bits);
  ASSERT_TRUE(out.ok());
  const NoisyCube& noisy = out->value();
  // In units of s the radius of two coordinates is a gamma variable of shape 2, and which of them
  // is the larger one is a fair coin that two stretches do not share.
  std::uint64_t below = 0;
  std::uint64_t alike = 0;
  bool last = false;
  for (std::size_t i = 0; i < stretches; ++i) {
    const double first = std::fabs(mechanisms::value_of(noisy, 2 * i));
    const double second = std::fabs(mechanisms::value_of(noisy, 2 * i + 1));
    below += std::max(first, second) < 2 ? 1 : 0;
    alike += (first > second) == last ? 1 : 0;
    last = first > second;
  }
  EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(stretches), 1 - 3 * std::exp(-2.0), plan.threshold);
  // Independent coins: whether neighbours are alike is a fair coin again, independent of the ones
  // before.
  EXPECT_NEAR(static_cast<double>(alike) / static_cast<double>(stretches), 0.5, plan.threshold);
}

TEST_F(KNormRelease, RefusesASpentGrant) {
  test::InsecureSeededBits bits(620);
  Grant once = grant("1");
  const CubePlan plan = *mechanisms::plan_k_norm(box({1}), epsilon_loss("1"));
  ASSERT_TRUE(release_k_norm(sealed({1}, box({1})), plan, std::move(once), bits).ok());
  const auto again = release_k_norm(sealed({1}, box({1})), plan, std::move(once), bits);  // NOLINT(bugprone-use-after-move): what is tested
  EXPECT_EQ(again.error().code(), Code::Internal);
}

TEST_F(KNormRelease, SaysWhatWasSpentWhenItFailsAfterTheCharge) {
  test::FailingBits failing(3);
  const auto without_bits = testing::release_planned_k_norm(sealed({1, 2}, box({1, 1})), grant("1"), failing);
  EXPECT_EQ(without_bits.error().code(), Code::EntropyUnavailable);
  EXPECT_EQ(without_bits.error().spent(), "epsilon 1 was spent (entry 1 of \"patients\")");
  test::InsecureSeededBits bits(630);
  const auto wrong_size = testing::release_planned_k_norm(sealed({1, 2}, box({1})), grant("1"), bits);
  EXPECT_EQ(wrong_size.error().code(), Code::Internal);
  EXPECT_THAT(wrong_size.error().spent(), HasSubstr("epsilon 1 was spent (entry 2"));
  const auto refused = release_k_norm(sealed({1}, box({1})), *mechanisms::plan_k_norm(box({1}), epsilon_loss("1.5")), grant("1"), bits);
  EXPECT_THAT(refused.error().message(), HasSubstr("the planned noise would give away more than was charged, so nothing was published"));
  EXPECT_THAT(refused.error().spent(), HasSubstr("was spent (entry 3"));
  const auto too_large = testing::release_planned_k_norm(sealed({kOne << 120U}, box({kOne << 60U})), grant("1"), bits);
  EXPECT_EQ(too_large.error().code(), Code::Internal);
}

}  // namespace
}  // namespace tacet::kernel::release_k_norm_test
