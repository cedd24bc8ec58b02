#include <algorithm>
#include <cmath>
#include <utility>

#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tacet/accounting/conversion.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/noisy_values.h"

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::release_cube_products_test {
namespace {

using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::mu_loss;
using testing::rho_loss;
using testing::sealed;

constexpr Int128 kOne = 1;

/// Two columns that lie within 10 and 30 steps of their centre: two sums, three products.
BoxSensitivity two_columns(std::size_t groups = 1, std::size_t touched = 1) {
  BoxSensitivity box{Relation::ReplaceOne, {}, groups, touched, 2};
  for (std::size_t group = 0; group < groups; ++group) {
    for (const int most : {20, 60, 100, 600, 900}) box.most.push_back(most);
  }
  return box;
}

const std::vector<double> kWeights = {0.8, 0.05, 0.1, 0.05};

class CubeProductsRelease : public ::testing::Test {
 protected:
  Grant grant(const char* epsilon) { return purse_.grant(epsilon_loss(epsilon)); }

 private:
  testing::Purse purse_;
};

TEST(PlanCubeProducts, GivesEachPartItsShareOfEpsilonByHand) {
  const auto plan = mechanisms::plan_cube_products(two_columns(), kWeights, epsilon_loss("0.5"));
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_NEAR(plan->cube_epsilon, 0.4, 1e-15);
  EXPECT_NEAR(plan->products_epsilon, 0.1, 1e-15);
  // Sums: their bound over 0.4. Products: |x_i x_j| at most over its part of epsilon, 0.025, 0.05
  // and 0.025.
  const std::vector<double> by_hand = {50, 150, 100 / 0.025, 300 / 0.05, 900 / 0.025};
  for (std::size_t j = 0; j < by_hand.size(); ++j) EXPECT_NEAR(mechanisms::scale_of(*plan, j) / by_hand[j], 1, 1e-5) << j;
  EXPECT_EQ(plan->stretch, 5U);
  EXPECT_EQ(plan->before(), 2U);
}

TEST(PlanCubeProducts, PartsNeverAddUpToMoreThanEpsilonAndHardlyToLess) {
  for (const char* epsilon : {"1", "0.1", "0.3333333333333333333333333333", "17", "0.01"}) {
    for (const std::vector<double>& weights :
         std::vector<std::vector<double>>{kWeights, {1, 1, 1, 1}, {1e-3, 0.7, 0.1, 0.3}, {7, 3, 1, 0.3}}) {
      const auto plan = mechanisms::plan_cube_products(two_columns(), weights, epsilon_loss(epsilon));
      ASSERT_TRUE(plan.ok()) << plan.error().message();
      const mpq_class claimed = Decimal::parse(epsilon)->to_rational();
      const mpq_class spent = mpq_class(plan->cube_epsilon) + mpq_class(plan->products_epsilon);
      EXPECT_TRUE(spent <= claimed) << epsilon;
      EXPECT_TRUE(spent >= claimed * mpq_class(1 - 0x1p-50)) << epsilon;
    }
  }
}

// What the theorem asks for, decided between rationals: the sums in a cube of epsilon_1 scales; and
// products whose sizes over their scales add up to epsilon_2 where x is at its bounds and y is 0.
TEST(PlanCubeProducts, HasEnoughNoiseInEachPart) {
  const BoxSensitivity box = two_columns();
  const auto plan = mechanisms::plan_cube_products(box, kWeights, epsilon_loss("0.7"));
  ASSERT_TRUE(plan.ok());
  for (std::size_t j = 0; j < 2; ++j) {
    const mpq_class moved(mpz_class(static_cast<long>(plan->cube.multiples[j])) * static_cast<long>(box.most[j]));
    EXPECT_TRUE(moved <= mpq_class(plan->cube_epsilon) * mpz_class(static_cast<long>(plan->cube.scale))) << j;
  }
  mpq_class spent = 0;
  const std::vector<long> sizes = {100, 300, 900};
  for (std::size_t j = 0; j < 3; ++j) spent += mpq_class(sizes[j]) / mpq_class(plan->products.scale[j]);
  EXPECT_TRUE(spent <= mpq_class(plan->products_epsilon));
  EXPECT_TRUE(spent >= mpq_class(plan->products_epsilon) * mpq_class(1 - 1e-11));
}

TEST(PlanCubeProducts, SharesEpsilonAmongTheStretchesThatOnePersonTouches) {
  const auto alone = mechanisms::plan_cube_products(two_columns(), kWeights, epsilon_loss("1"));
  const auto shared = mechanisms::plan_cube_products(two_columns(3, 2), kWeights, epsilon_loss("1"));
  ASSERT_TRUE(alone.ok() && shared.ok());
  EXPECT_EQ(shared->size(), 15U);
  for (std::size_t j = 0; j < 15; ++j) EXPECT_NEAR(mechanisms::scale_of(*shared, j) / mechanisms::scale_of(*alone, j % 5), 2, 1e-5) << j;
}

TEST(PlanCubeProducts, CountsProductsOneByOneWhereAPersonComesOrGoes) {
  // A count, one sum within 10 steps, its square.
  const BoxSensitivity box{Relation::AddOrRemoveOne, {1, 10, 100}, 1, 1, 1};
  const auto plan = mechanisms::plan_cube_products(box, {3, 1}, epsilon_loss("1"));
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->before(), 2U);
  EXPECT_NEAR(mechanisms::scale_of(*plan, 0), 1 / 0.75, 1e-5);
  EXPECT_NEAR(mechanisms::scale_of(*plan, 1), 10 / 0.75, 1e-4);
  EXPECT_NEAR(mechanisms::scale_of(*plan, 2), 400, 1e-9);
}

TEST(PlanCubeProducts, SpendsTheLargestEpsilonThatImpliesMuAndRho) {
  const double epsilon = *accounting::pure_epsilon_for_gdp(1.0);
  for (const privacy::Loss& loss : {mu_loss("1"), rho_loss("0.5")}) {
    const auto plan = mechanisms::plan_cube_products(two_columns(), kWeights, loss);
    EXPECT_LE(plan->cube_epsilon + plan->products_epsilon, epsilon);
    EXPECT_NEAR(plan->cube_epsilon, 0.8 * epsilon, 1e-12);
  }
}

TEST(PlanCubeProducts, RefusesWhatItCannotServe) {
  const auto refused = [](const BoxSensitivity& box, const std::vector<double>& weights, const privacy::Loss& loss) {
    return mechanisms::plan_cube_products(box, weights, loss).error();
  };
  const privacy::Loss one = epsilon_loss("1");
  EXPECT_EQ(refused(two_columns(), kWeights, epsilon_delta_loss("1", "1e-6")).code(), Code::Unsupported);
  EXPECT_THAT(refused(two_columns(), kWeights, epsilon_delta_loss("1", "1e-6")).message(), HasSubstr("noise needs no delta"));
  BoxSensitivity sums = two_columns();
  sums.outer_products = 0;
  EXPECT_THAT(refused(sums, kWeights, one).message(), HasSubstr("needs products, and there are none"));
  BoxSensitivity many = two_columns();
  many.outer_products = 65;
  EXPECT_EQ(refused(many, kWeights, one).name(), "columns");
  EXPECT_EQ(refused(two_columns(), {1, 1, 1}, one).code(), Code::Internal);
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e-60}) {
    EXPECT_EQ(refused(two_columns(), {wrong, 1, 1, 1}, one).name(), "weight");
    EXPECT_EQ(refused(two_columns(), {1, 1, wrong, 1}, one).name(), "weight");
  }
  EXPECT_EQ(refused({Relation::ReplaceOne, {1, 1, 1}, 1, 1, 2}, kWeights, one).code(), Code::Internal) << "nothing before the products";
  for (const BoxSensitivity& wrong : {two_columns(0), two_columns(1, 0), two_columns(2, 3)})
    EXPECT_EQ(refused(wrong, kWeights, one).code(), Code::Internal);
  BoxSensitivity large = two_columns();
  large.most[0] = (kOne << 60U) + 1;
  EXPECT_EQ(refused(large, kWeights, one).name(), "bound");
  EXPECT_EQ(refused(two_columns(), {1e-9, 1, 1, 1}, one).name(), "epsilon") << "the part of the cube is what counts";
  EXPECT_EQ(refused(two_columns(), {1, 1e-40, 1e-40, 1e-40}, one).name(), "noise scale") << "and that of the products";
}

TEST_F(CubeProductsRelease, MovesEveryFigureByItsValueForTheSameBits) {
  test::InsecureSeededBits first(700);
  test::InsecureSeededBits second(700);
  const std::vector<Int128> values = {-5, 7, kOne << 40U, -3, 11, 1, 2, 3, 4, 5};
  const auto at_zero =
      testing::release_planned_cube_products(sealed(std::vector<Int128>(10, 0), two_columns(2)), kWeights, grant("1"), first);
  const auto moved = testing::release_planned_cube_products(sealed(values, two_columns(2)), kWeights, grant("1"), second);
  ASSERT_TRUE(at_zero.ok() && moved.ok());
  const NoisyCubeProducts& a = at_zero->value();
  const NoisyCubeProducts& b = moved->value();
  for (std::size_t j = 0; j < 10; ++j) {
    const std::size_t at = b.plan.place(j);
    const Int128 unit = b.plan.is_product(j) ? kOne << static_cast<unsigned>(b.plan.products.grid_log2[at]) : b.plan.cube.multiples[at];
    EXPECT_EQ(b.ticks[j] - a.ticks[j], values[j] * unit) << j;
    EXPECT_DOUBLE_EQ(mechanisms::value_of(b, j), static_cast<double>(b.ticks[j]) / static_cast<double>(unit)) << j;
    EXPECT_EQ(b.plan.is_product(j), j % 5 >= 2) << j;
  }
  EXPECT_EQ(b.relation, Relation(Relation::ReplaceOne));
  EXPECT_EQ(b.receipt.charged, "epsilon 1");
}

// Each figure by an event of known probability: a product's noise is within log 2 scales in half of
// all draws, and the radius of two sums, a gamma variable of shape 2, within 2 scales with
// probability 1 - 3 exp(-2). Hoeffding; sees scales that are swapped, or 10 % off.
TEST_F(CubeProductsRelease, DrawsEachPartFromItsOwnLawAndEachStretchForItself) {
  const test::Promise promise{.false_alarm = 1e-10, .miss = 1e-10, .shift = 0.02 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("CubeProductsRelease.DrawsEachPartFromItsOwnLawAndEachStretchForItself", 5 * promise.false_alarm);
  const std::size_t stretches = plan.n;
  ASSERT_LE(5 * stretches, 1'000'000U);
  test::InsecureSeededBits bits(710);
  const auto out = testing::release_planned_cube_products(sealed(std::vector<Int128>(5 * stretches, 0), two_columns(stretches)), kWeights,
                                                          grant("1"), bits);
  ASSERT_TRUE(out.ok()) << out.error().message();
  const NoisyCubeProducts& noisy = out->value();
  std::vector<double> often(5, 0);
  bool last = false;
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto size = [&](std::size_t j) {
      return std::fabs(mechanisms::value_of(noisy, 5 * i + j)) / mechanisms::scale_of(noisy.plan, 5 * i + j);
    };
    for (std::size_t j = 2; j < 5; ++j) often[j] += size(j) < std::log(2.0) ? 1 : 0;
    often[0] += std::max(size(0), size(1)) < 2 ? 1 : 0;
    often[1] += (size(0) > size(1)) == last ? 1 : 0;
    last = size(0) > size(1);
  }
  const std::vector<double> law = {1 - 3 * std::exp(-2.0), 0.5, 0.5, 0.5, 0.5};
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(often[j] / static_cast<double>(stretches), law[j], plan.threshold) << j;
}

TEST_F(CubeProductsRelease, RefusesASpentGrantAndOneForOtherNeighbours) {
  test::InsecureSeededBits bits(720);
  const std::vector<Int128> values(5, 0);
  Grant once = grant("1");
  const CubeProductsPlan plan = *mechanisms::plan_cube_products(two_columns(), kWeights, epsilon_loss("1"));
  ASSERT_TRUE(release_cube_products(sealed(values, two_columns()), plan, std::move(once), bits).ok());
  const auto again = release_cube_products(sealed(values, two_columns()), plan, std::move(once), bits);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(again.error().code(), Code::Internal);
  BoxSensitivity others = two_columns();
  others.relation = Relation::AddOrRemoveOne;
  EXPECT_THAT(testing::release_planned_cube_products(sealed(values, others), kWeights, grant("1"), bits).error().message(),
              HasSubstr("charged for neighbours by replace-one"));
}

TEST_F(CubeProductsRelease, SaysWhatWasSpentWhenItFailsAfterTheCharge) {
  const std::vector<Int128> values(5, 0);
  // Bits that fail at every place there is, in the cube and in the products.
  std::uint64_t words = 0;
  for (bool published = false; !published; ++words) {
    ASSERT_LT(words, 1000U);
    test::FailingBits failing(words);
    const auto out = testing::release_planned_cube_products(sealed(values, two_columns()), kWeights, grant("1"), failing);
    published = out.ok();
    if (published) continue;
    EXPECT_EQ(out.error().code(), Code::EntropyUnavailable) << words;
    EXPECT_THAT(out.error().spent(), HasSubstr("epsilon 1 was spent (entry"));
  }
  EXPECT_GT(words, 8U) << "five figures need more than this";
  test::InsecureSeededBits bits(730);
  const auto wrong_size = testing::release_planned_cube_products(sealed({1, 2}, two_columns()), kWeights, grant("1"), bits);
  EXPECT_EQ(wrong_size.error().code(), Code::Internal);
  EXPECT_THAT(wrong_size.error().spent(), HasSubstr("epsilon 1 was spent (entry"));
  const CubeProductsPlan too_little = *mechanisms::plan_cube_products(two_columns(), kWeights, epsilon_loss("1.5"));
  const auto refused = release_cube_products(sealed(values, two_columns()), too_little, grant("1"), bits);
  EXPECT_THAT(refused.error().message(), HasSubstr("the planned noise would give away more than was charged, so nothing was published"));
  EXPECT_THAT(refused.error().spent(), HasSubstr("was spent (entry"));
}

}  // namespace
}  // namespace tacet::kernel::release_cube_products_test
