// Every plan that the planners make passes, and whatever is planted in one is refused.
#include "tacet/kernel/scale_check.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/accounting/calibration.h"
#include "tacet/kernel/outer_products.h"
#include "tacet/mechanisms/product_root.h"

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::scale_check_test {
namespace {

using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::mu_loss;
using testing::rho_loss;

constexpr double kLess = 1 - 1e-9;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string said(const Status& status) { return status.ok() ? "passed" : status.error().message(); }
const auto kTooMuch = HasSubstr("would give away more than was charged");

NumbersPlan smaller(NumbersPlan plan, double factor = kLess) {
  for (double& scale : plan.scale) scale *= factor;
  return plan;
}

// --- Counts ---

TEST(ScaleCheck, CountsNeedTheNoiseThatIsPlannedAndNoBillionthLess) {
  const std::vector<Sensitivity> neighbours = {
      {Relation::ReplaceOne, 2, 2}, {Relation::AddOrRemoveOne, 1, 1}, {Relation::ReplaceOne, 4, 8}, {Relation::ReplaceOne, 7, 11}};
  const std::vector<privacy::Loss> gaussian = {rho_loss("0.125"),
                                               rho_loss("0.3"),
                                               mu_loss("1"),
                                               mu_loss("0.001"),
                                               mu_loss("7.3"),
                                               epsilon_delta_loss("1", "1e-6"),
                                               epsilon_delta_loss("0.01", "1e-30"),
                                               epsilon_delta_loss("8", "0.3"),
                                               epsilon_delta_loss("300", "1e-300")};
  const std::vector<privacy::Loss> laplace = {epsilon_loss("1"), epsilon_loss("0.3"), epsilon_loss("1e-7"), mu_loss("1"),
                                              rho_loss("0.05"),  mu_loss("0.01"),     mu_loss("5")};
  for (const Sensitivity& sensitivity : neighbours) {
    for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
      for (const privacy::Loss& loss : family == NoiseFamily::Gaussian ? gaussian : laplace) {
        NoisePlan plan = *mechanisms::plan_noise(family, sensitivity, loss);
        EXPECT_EQ(said(check_scales(plan, sensitivity, loss)), "passed") << plan.scale;
        plan.scale *= kLess;
        EXPECT_THAT(said(check_scales(plan, sensitivity, loss)), kTooMuch) << plan.scale << " for l1 " << sensitivity.l1;
        plan.scale *= 3;
        EXPECT_EQ(said(check_scales(plan, sensitivity, loss)), "passed") << "more noise than is needed";
      }
    }
  }
}

TEST(ScaleCheck, TheLeastDoubleIsTheLeastThatPasses) {
  const Sensitivity table{Relation::ReplaceOne, 2, 2};
  for (const auto& [family, loss] : {std::pair{NoiseFamily::Gaussian, rho_loss("0.3")}, {NoiseFamily::Laplace, epsilon_loss("0.3")}}) {
    NoisePlan plan = *mechanisms::plan_noise(family, table, loss);
    plan.scale = std::nextafter(plan.scale, 0);
    EXPECT_THAT(said(check_scales(plan, table, loss)), kTooMuch);
  }
}

TEST(ScaleCheck, NoiseThatCannotKeepALossIsRefusedHoweverLarge) {
  const Sensitivity table{Relation::ReplaceOne, 2, 2};
  EXPECT_THAT(said(check_scales(NoisePlan{NoiseFamily::Gaussian, 1e15, 0}, table, epsilon_loss("100"))), kTooMuch);
  EXPECT_THAT(said(check_scales(NoisePlan{NoiseFamily::Laplace, 1e15, 0}, table, epsilon_delta_loss("100", "0.5"))), kTooMuch);
  EXPECT_THAT(said(check_scales(NoisePlan{NoiseFamily::Gaussian, 1e15, 0}, table, epsilon_delta_loss("1", "0"))), kTooMuch);
}

TEST(ScaleCheck, TheRuleForTablesServesTablesAlone) {
  const NoisePlan plan = *mechanisms::plan_noise(NoiseFamily::Laplace, {Relation::ReplaceOne, 2, 2}, mu_loss("1"));
  EXPECT_EQ(said(check_scales(plan, Sensitivity{Relation::ReplaceOne, 2, 2}, mu_loss("1"))), "passed");
  EXPECT_THAT(said(check_scales(plan, Sensitivity{Relation::ReplaceOne, 2, 4}, mu_loss("1"))), kTooMuch) << "one cell may move by two";
}

TEST(ScaleCheck, WhatIsNoPlanIsRefused) {
  const Sensitivity table{Relation::ReplaceOne, 2, 2};
  for (const double scale : {0.0, -1.0, 0x1p-41, 0x1p61, kInfinity, std::nan("")}) {
    EXPECT_THAT(said(check_scales(NoisePlan{NoiseFamily::Gaussian, scale, 0}, table, mu_loss("1"))), HasSubstr("noise scale must lie"))
        << scale;
  }
  for (const int grid : {-1, 51})
    EXPECT_THAT(said(check_scales(NoisePlan{NoiseFamily::Gaussian, 10, grid}, table, mu_loss("1"))), HasSubstr("noise grid")) << grid;
  for (const Sensitivity& wrong : {Sensitivity{Relation::ReplaceOne, 0, 2}, {Relation::ReplaceOne, 2, -1}})
    EXPECT_THAT(said(check_scales(NoisePlan{NoiseFamily::Gaussian, 10, 0}, wrong, mu_loss("1"))), HasSubstr("must be positive"));
}

// --- Numbers ---

BoxSensitivity random_box(std::mt19937_64& random, std::size_t stretch, std::size_t groups, std::size_t touched) {
  BoxSensitivity box{Relation::ReplaceOne, {}, groups, touched};
  for (std::size_t i = 0; i < stretch * groups; ++i)
    box.most.push_back((Int128{1} << (random() % 40)) + static_cast<Int128>(random() % 1000));
  return box;
}

TEST(ScaleCheck, BoxesNeedTheNoiseThatIsPlannedAndNoBillionthLess) {
  std::mt19937_64 random(test::suite_seed());
  std::uniform_real_distribution<double> magnitude(-3, 3);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t stretch = 1 + random() % 6;
    const std::size_t touched = 1 + random() % 3;
    const BoxSensitivity box = random_box(random, stretch, 3, touched);
    std::vector<double> weights;
    for (std::size_t j = 0; j < stretch; ++j) weights.push_back(std::exp(magnitude(random)));
    for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
      const privacy::Loss other = family == NoiseFamily::Gaussian ? epsilon_delta_loss("1", "1e-6") : epsilon_loss("0.7");
      for (const privacy::Loss& loss : {mu_loss("0.7"), rho_loss("0.02"), other}) {
        const NumbersPlan plan = *mechanisms::plan_numbers(family, box, weights, loss);
        ASSERT_EQ(said(check_scales(plan, box, loss)), "passed") << trial;
        ASSERT_THAT(said(check_scales(smaller(plan), box, loss)), kTooMuch) << trial;
        // The figure that has most of the loss, in the last group, by itself.
        NumbersPlan one = plan;
        const auto largest = std::max_element(weights.begin(), weights.end()) - weights.begin();
        one.scale[2 * stretch + static_cast<std::size_t>(largest)] *= 1 - 1e-8;
        ASSERT_THAT(said(check_scales(one, box, loss)), kTooMuch) << trial;
      }
    }
  }
}

TEST(ScaleCheck, PartsThatAddUpExactlyPass) {
  const BoxSensitivity three{Relation::ReplaceOne, {1, 1, 1}, 1, 1};
  const NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Laplace, three, {1, 1, 1}, epsilon_loss("1"));
  EXPECT_EQ(plan.scale, std::vector<double>(3, 3)) << "three thirds of 1";
  EXPECT_EQ(said(check_scales(plan, three, epsilon_loss("1"))), "passed");
  NumbersPlan less = plan;
  less.scale[2] = std::nextafter(3.0, 0.0);
  EXPECT_THAT(said(check_scales(less, three, epsilon_loss("1"))), kTooMuch);
}

TEST(ScaleCheck, APersonGivesAwayTheSumOverTheStretchesThatGiveAwayMost) {
  // Four groups of one figure, of which one person touches two: 1/s is given away in each.
  const BoxSensitivity box{Relation::ReplaceOne, {1, 1, 1, 1}, 4, 2};
  const auto verdict = [&](std::vector<double> scales) {
    return said(check_scales(NumbersPlan{NoiseFamily::Laplace, std::move(scales), {0, 0, 0, 0}}, box, epsilon_loss("1")));
  };
  EXPECT_EQ(verdict({2, 2, 2, 2}), "passed");
  EXPECT_EQ(verdict({4, 1024, 4.0 / 3 + 1e-9, 4}), "passed");
  EXPECT_THAT(verdict({4, 1024, 4.0 / 3 - 1e-9, 4}), kTooMuch) << "3/4 in the third, 1/4 in the first or the last";
  EXPECT_THAT(verdict({1.999999, 1024, 1024, 2}), kTooMuch);
  EXPECT_THAT(verdict({1024, 1.999999, 1.999999, 1024}), kTooMuch) << "neighbours that are alike count twice";
}

TEST(ScaleCheck, NormsNeedTheNoiseThatIsPlannedAndNoBillionthLess) {
  const NormSensitivity norm{Relation::ReplaceOne, (Int128{1} << 40) + 12345};
  for (const privacy::Loss& loss : {mu_loss("0.7"), rho_loss("0.02"), epsilon_delta_loss("1", "1e-6")}) {
    const NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Gaussian, norm, 3, loss);
    EXPECT_EQ(said(check_scales(plan, norm, loss)), "passed");
    NumbersPlan one = plan;
    one.scale[1] *= kLess;
    EXPECT_THAT(said(check_scales(one, norm, loss)), kTooMuch);
  }
  const NumbersPlan laplace{NoiseFamily::Laplace, {1e15}, {0}};
  EXPECT_THAT(said(check_scales(laplace, norm, epsilon_loss("1"))), HasSubstr("Laplace noise needs the L1 sensitivity"));
  const NumbersPlan empty{NoiseFamily::Gaussian, {}, {}};
  EXPECT_THAT(said(check_scales(empty, norm, mu_loss("1"))), HasSubstr("1 to 10^6 coordinates"));
}

/// What the data room claims for columns of these half widths, symmetric, with their sums before
/// the products.
BoxSensitivity products_box(const std::vector<Int128>& half_width, std::size_t groups = 1, std::size_t touched = 1) {
  BoxSensitivity box{Relation::ReplaceOne, {}, groups, touched, half_width.size()};
  for (std::size_t group = 0; group < groups; ++group) {
    for (const Int128 width : half_width) box.most.push_back(2 * width);
    for (std::size_t j = 0; j < half_width.size(); ++j) {
      for (std::size_t k = j; k < half_width.size(); ++k) box.most.push_back((j == k ? 1 : 2) * half_width[j] * half_width[k]);
    }
  }
  return box;
}

std::vector<Int128> random_widths(std::mt19937_64& random, std::size_t d) {
  std::vector<Int128> widths;
  for (std::size_t j = 0; j < d; ++j) widths.push_back(1 + static_cast<Int128>(random() % 5000));
  return widths;
}

TEST(ScaleCheck, ProductsThatMoveTogetherPassWithTheLessThatTheyNeedWhateverTheWeights) {
  std::mt19937_64 random(test::suite_seed());
  std::uniform_real_distribution<double> magnitude(-4, 4);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t d = trial == 0 ? 64 : trial == 1 ? 40 : 1 + random() % 9;
    const BoxSensitivity box = products_box(random_widths(random, d), 2, 1 + random() % 2);
    for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
      std::vector<double> weights = mechanisms::charged_sizes(family, box);
      for (double& weight : weights) weight = trial % 3 == 0 ? 1 : std::sqrt(weight) * std::exp(magnitude(random));
      const privacy::Loss loss = family == NoiseFamily::Gaussian ? mu_loss("0.7") : epsilon_loss("0.7");
      const NumbersPlan plan = *mechanisms::plan_numbers(family, box, weights, loss);
      ASSERT_EQ(said(check_scales(plan, box, loss)), "passed") << trial << " with " << d << " columns";
      // With uneven weights the planner may count product by product where together is less, and so
      // leave some room.
      ASSERT_THAT(said(check_scales(smaller(plan, trial % 3 == 0 ? kLess : 0.4), box, loss)), kTooMuch)
          << trial << " with " << d << " columns";
      if (d == 1 || trial % 3 != 0) continue;
      // A row that comes or goes attains every bound, and who does not claim products has to pay
      // for each.
      BoxSensitivity other = box;
      other.outer_products = 0;
      ASSERT_THAT(said(check_scales(plan, other, loss)), kTooMuch) << trial;
      other.outer_products = d;
      other.relation = Relation::AddOrRemoveOne;
      ASSERT_THAT(said(check_scales(plan, other, loss)), kTooMuch) << trial;
    }
  }
}

TEST(ScaleCheck, ProductsWithoutTheFactorForTheirWeightsAreRefused) {
  const std::size_t d = 4;
  BoxSensitivity box = products_box(std::vector<Int128>(d, 100));
  box.most.erase(box.most.begin(), box.most.begin() + d);  // products alone
  std::vector<double> weights;
  std::vector<mpq_class> shares;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) weights.push_back(j == k ? 0.1 : 1);
  }
  for (const double weight : weights) shares.emplace_back(weight);
  const double factor = outer_product_factor(shares, d, mechanisms::product_root(shares, d)).get_d();
  ASSERT_GT(factor, 1.1);
  const NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Laplace, box, weights, epsilon_loss("1"));
  EXPECT_EQ(said(check_scales(plan, box, epsilon_loss("1"))), "passed");
  EXPECT_THAT(said(check_scales(smaller(plan, 1 / factor), box, epsilon_loss("1"))), kTooMuch);
}

TEST(ScaleCheck, WhatIsNoPlanForABoxIsRefused) {
  const BoxSensitivity box{Relation::ReplaceOne, {100, 100}, 1, 1};
  const NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Gaussian, box, {1, 1}, mu_loss("1"));
  const auto verdict = [](const NumbersPlan& one, const BoxSensitivity& bounds) { return said(check_scales(one, bounds, mu_loss("1"))); };
  for (const double scale : {0.0, -1.0, kInfinity, std::nan("")}) {
    NumbersPlan wrong = plan;
    wrong.scale[1] = scale;
    EXPECT_THAT(verdict(wrong, box), HasSubstr("noise scale must lie")) << scale;
  }
  NumbersPlan wrong = plan;
  wrong.scale.pop_back();
  EXPECT_THAT(verdict(wrong, box), HasSubstr("a scale for every coordinate"));
  wrong = plan;
  wrong.grid_log2.pop_back();
  EXPECT_THAT(verdict(wrong, box), HasSubstr("a scale for every coordinate"));
  wrong = plan;
  wrong.grid_log2[0] = -1;
  EXPECT_THAT(verdict(wrong, box), HasSubstr("noise grid"));
  // A grid so fine that whether a value overflows would depend on the data.
  const BoxSensitivity wide{Relation::ReplaceOne, {Int128{1} << 60, 1}, 1, 1};
  EXPECT_THAT(verdict({NoiseFamily::Gaussian, {0x1p60, 0x1p60}, {21, 0}}, wide), HasSubstr("leave room"));
  for (const BoxSensitivity& misshapen : std::vector<BoxSensitivity>{{Relation::ReplaceOne, {}, 1, 1},
                                                                     {Relation::ReplaceOne, {100, 100}, 0, 1},
                                                                     {Relation::ReplaceOne, {100, 100}, 2, 3},
                                                                     {Relation::ReplaceOne, {100, 100}, 1, 0},
                                                                     {Relation::ReplaceOne, {100, -1}, 1, 1},
                                                                     {Relation::ReplaceOne, {100, 100}, 1, 1, 2}})
    EXPECT_NE(verdict(plan, misshapen), "passed");
}

// --- Cubes ---

TEST(ScaleCheck, CubesNeedTheNoiseThatIsPlannedAndNoUnitLess) {
  for (const std::size_t touched : {1U, 2U}) {
    const BoxSensitivity box{Relation::ReplaceOne, {1, 4, 16, 2, 0, 8}, 2, touched};
    for (const privacy::Loss& loss : {epsilon_loss("1"), epsilon_loss("0.3"), mu_loss("1"), rho_loss("0.05")}) {
      CubePlan plan = *mechanisms::plan_k_norm(box, loss);
      EXPECT_EQ(said(check_scales(plan, box, loss)), "passed");
      const bool decimal = std::holds_alternative<privacy::PureLoss>(loss);  // otherwise epsilon itself is rounded down, by a part in 10^12
      plan.scale -= decimal ? 1 : plan.scale / 1'000'000'000;
      EXPECT_THAT(said(check_scales(plan, box, loss)), kTooMuch);
    }
    EXPECT_THAT(said(check_scales(*mechanisms::plan_k_norm(box, epsilon_loss("1")), box, epsilon_delta_loss("1", "1e-6"))), kTooMuch);
  }
  const BoxSensitivity box{Relation::ReplaceOne, {1, 4, 16}, 1, 1};
  const CubePlan plan = *mechanisms::plan_k_norm(box, epsilon_loss("1"));
  CubePlan wrong = plan;
  ++wrong.multiples[1];
  EXPECT_THAT(said(check_scales(wrong, box, epsilon_loss("1"))), kTooMuch) << "a finer unit moves by more of them";
}

TEST(ScaleCheck, WhatIsNoPlanForACubeIsRefused) {
  const BoxSensitivity box{Relation::ReplaceOne, {1, 4, 0, 2}, 2, 1};
  const CubePlan plan = *mechanisms::plan_k_norm(box, epsilon_loss("1"));
  const auto verdict = [&](const CubePlan& one) { return said(check_scales(one, box, epsilon_loss("1"))); };
  ASSERT_EQ(verdict(plan), "passed");
  CubePlan wrong = plan;
  wrong.scale = -plan.scale;
  EXPECT_THAT(verdict(wrong), HasSubstr("a unit for every coordinate"));
  wrong = plan;
  wrong.stretch = 0;
  EXPECT_THAT(verdict(wrong), HasSubstr("a unit for every coordinate"));
  wrong = plan;
  wrong.multiples.pop_back();
  EXPECT_THAT(verdict(wrong), HasSubstr("a unit for every coordinate"));
  wrong = plan;
  wrong.multiples[0] = 0;
  EXPECT_THAT(verdict(wrong), HasSubstr("the unit of a coordinate"));
  wrong = plan;
  wrong.multiples[2] = Int128{1} << 100;  // of a figure that cannot move: whether it overflows would depend on the data
  EXPECT_THAT(verdict(wrong), HasSubstr("the unit of a coordinate"));
}

TEST(ScaleCheck, CubesBesideProductsNeedBothNoisesAndNoBillionthLess) {
  const std::vector<double> weights = {0.9, 0.025, 0.05, 0.025};
  for (const std::size_t touched : {1U, 2U}) {
    BoxSensitivity box{Relation::ReplaceOne, {1, 64, 1024, 2048, 1024, 1, 64, 1024, 2048, 1024}, 2, touched, 2};
    for (const privacy::Loss& loss : {epsilon_loss("1"), epsilon_loss("0.3"), mu_loss("1")}) {
      const CubeProductsPlan plan = *mechanisms::plan_cube_products(box, weights, loss);
      EXPECT_EQ(said(check_scales(plan, box, loss)), "passed");
      CubeProductsPlan less = plan;
      less.cube.scale -= plan.cube.scale / 100'000'000;
      EXPECT_THAT(said(check_scales(less, box, loss)), kTooMuch);
      less = plan;
      less.products = smaller(plan.products, 1 - 1e-8);
      EXPECT_THAT(said(check_scales(less, box, loss)), kTooMuch);
      less = plan;
      less.products.family = NoiseFamily::Gaussian;
      EXPECT_THAT(said(check_scales(less, box, loss)), HasSubstr("the values and the products of its box"));
      less = plan;
      less.stretch = 4;
      EXPECT_THAT(said(check_scales(less, box, loss)), HasSubstr("the values and the products of its box"));
      less = plan;
      less.cube.stretch = 0;
      EXPECT_THAT(said(check_scales(less, box, loss)), HasSubstr("the values and the products of its box"));
      less = plan;
      less.products.scale.pop_back();
      EXPECT_THAT(said(check_scales(less, box, loss)), HasSubstr("a scale for every coordinate"));
    }
    BoxSensitivity without = box;
    without.outer_products = 0;
    EXPECT_NE(said(check_scales(*mechanisms::plan_cube_products(box, weights, epsilon_loss("1")), without, epsilon_loss("1"))), "passed");
  }
}

// --- As the releases ask it ---

class CheckedRelease : public ::testing::Test {
 protected:
  template <class Out>
  static void expect_refused(const Result<Out>& out) {
    ASSERT_FALSE(out.ok());
    EXPECT_EQ(out.error().code(), Code::Internal);
    EXPECT_EQ(out.error().message(),
              "the planned noise would give away more than was charged, so nothing was published; report it: a plan of noise is wrong");
    EXPECT_THAT(out.error().spent(), HasSubstr("was spent (entry"));
  }
  testing::Purse purse_;
  test::InsecureSeededBits bits_{901};
};

TEST_F(CheckedRelease, NoFormOfReleaseDrawsNoiseThatIsABillionthTooSmall) {
  const Sensitivity table{Relation::ReplaceOne, 2, 2};
  NoisePlan counts = *mechanisms::plan_noise(NoiseFamily::Gaussian, table, mu_loss("1"));
  counts.scale *= kLess;
  expect_refused(release(testing::sealed_for_patients(std::vector<std::int64_t>{1, 2}, table), counts, purse_.grant(mu_loss("1")), bits_));

  const BoxSensitivity box{Relation::ReplaceOne, {16, 64}, 1, 1};
  const NumbersPlan numbers = smaller(*mechanisms::plan_numbers(NoiseFamily::Laplace, box, {1, 2}, epsilon_loss("1")));
  expect_refused(release(testing::sealed({1, 2}, box), numbers, purse_.grant(epsilon_loss("1")), bits_));

  const NormSensitivity norm{Relation::ReplaceOne, 10000};
  const NumbersPlan clipped = smaller(*mechanisms::plan_numbers(NoiseFamily::Gaussian, norm, 2, epsilon_delta_loss("1", "1e-6")));
  expect_refused(release(testing::sealed_for_patients(std::vector<Int128>{1, 2}, NormSensitivity{norm}), clipped,
                         purse_.grant(epsilon_delta_loss("1", "1e-6")), bits_));

  CubePlan cube = *mechanisms::plan_k_norm(box, epsilon_loss("1"));
  cube.scale -= cube.scale / 1'000'000'000 + 1;
  expect_refused(release_k_norm(testing::sealed({1, 2}, box), cube, purse_.grant(epsilon_loss("1")), bits_));

  const BoxSensitivity moments{Relation::ReplaceOne, {64, 1024, 2048, 1024}, 1, 1, 2};
  CubeProductsPlan both = *mechanisms::plan_cube_products(moments, {0.5, 0.125, 0.25, 0.125}, epsilon_loss("1"));
  both.products = smaller(both.products);
  expect_refused(release_cube_products(testing::sealed({1, 2, 3, 4}, moments), both, purse_.grant(epsilon_loss("1")), bits_));
}

}  // namespace
}  // namespace tacet::kernel::scale_check_test
