// What Laplace noise is charged covers all that one person can move, in rho and in mu: by search
// over neighbours of every relation. The same search is shown losses that are too small, and the
// kernel refuses them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/privacy/noise_proofs.h"
#include "tacet/privacy/parameters.h"

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::laplace_price_test {
namespace {

using privacy::Currency;
using privacy::LaplaceLoss;
using testing::decimal;
using ::testing::HasSubstr;

double h(double x) { return x < 1e-4 ? x * x / 2 - x * x * x / 6 : x + std::expm1(-x); }
std::string said(const Status& status) { return status.ok() ? "passed" : status.error().message(); }
const auto kTooMuch = HasSubstr("would give away more than was charged");

privacy::Budget epsilon_of(const std::string& text) { return privacy::budget_of(*privacy::Epsilon::parse(text)); }

/// Of a loss in all three currencies, each of its promises less by one unit of its last digit.
std::vector<LaplaceLoss> a_unit_less(const LaplaceLoss& loss) {
  const auto less = [](const Decimal& value) { return value * decimal("0.9999999999"); };
  const auto last = [](const Decimal& value) {  // 14 digits
    const std::string scientific = fmt::format("{:.13e}", value.approximate());
    return value - decimal("1e-13") * decimal("1" + scientific.substr(scientific.find('e')));
  };
  return {{less(loss.epsilon), loss.rho, loss.mu_squared},
          {loss.epsilon, last(loss.rho), loss.mu_squared},
          {loss.epsilon, loss.rho, *loss.mu_squared * decimal("0.99999")}};
}

// --- Counts ---

/// All changes of three counts that the bounds allow.
template <class See>
void for_each_change(const Sensitivity& bounds, const See& see) {
  const std::int64_t most = bounds.l1;
  for (std::int64_t a = -most; a <= most; ++a) {
    for (std::int64_t b = -most; b <= most; ++b) {
      for (std::int64_t c = -most; c <= most; ++c) {
        if (std::abs(a) + std::abs(b) + std::abs(c) <= bounds.l1 && a * a + b * b + c * c <= bounds.l2_squared)
          see(std::vector<double>{std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b)), std::abs(static_cast<double>(c))});
      }
    }
  }
}

double worst_rho(const Sensitivity& bounds, double scale) {
  double worst = 0;
  for_each_change(bounds, [&](const std::vector<double>& change) {
    double sum = 0;
    for (const double move : change) sum += h(move / scale);
    worst = std::max(worst, sum);
  });
  return worst;
}

TEST(LaplacePrice, OfCountsIsTheWorstOfAllNeighbours) {
  const std::vector<Sensitivity> relations = {{Relation::ReplaceOne, 2, 2}, {Relation::AddOrRemoveOne, 1, 1}};
  const std::vector<Sensitivity> others = {{Relation::ReplaceOne, 2, 4},
                                           {Relation::ReplaceOne, 4, 6},
                                           {Relation::ReplaceOne, 7, 11},
                                           {Relation::ReplaceOne, 3, 3},
                                           {Relation::ReplaceOne, 6, 12}};
  for (const double scale : {0.05, 0.7, 2.0, 20.0, 1000.0}) {
    const NoisePlan plan{NoiseFamily::Laplace, scale, 20};
    for (const Sensitivity& bounds : relations) {
      const double price = laplace_rho(plan, bounds).get_d();
      EXPECT_NEAR(price / worst_rho(bounds, scale), 1, 1e-9) << bounds.l1 << " " << scale;  // attained
      EXPECT_LT(laplace_rho(plan, {bounds.relation, bounds.l1 - 1, bounds.l2_squared - 1}).get_d(), worst_rho(bounds, scale) * (1 - 1e-9))
          << "a shift forgotten";
    }
    for (const Sensitivity& bounds : others)
      EXPECT_GE(laplace_rho(plan, bounds).get_d(), worst_rho(bounds, scale) * (1 - 1e-9)) << bounds.l2_squared;
  }
}

TEST(LaplacePrice, OfATableAtEpsilonOneIsThatOfTheIssue) {
  const Sensitivity table{Relation::ReplaceOne, 2, 2};
  const LaplaceLoss loss = std::get<LaplaceLoss>(*mechanisms::laplace_loss(table, epsilon_of("1"), Currency::Gdp));
  EXPECT_EQ(loss.epsilon, decimal("1"));
  EXPECT_EQ(loss.rho, decimal("0.21306131942527"));                            // 2 h(1/2), not 0.5
  EXPECT_NEAR(std::sqrt(loss.mu_squared->approximate()), 0.7075515359, 1e-9);  // not 1.232
  const NoisePlan plan = *mechanisms::plan_noise(NoiseFamily::Laplace, table, loss);
  EXPECT_EQ(plan.scale, 2);
  EXPECT_EQ(said(check_scales(plan, table, loss)), "passed");
  for (const LaplaceLoss& less : a_unit_less(loss)) EXPECT_THAT(said(check_scales(plan, table, less)), kTooMuch);
}

TEST(LaplacePrice, OfCountsIsRefusedAUnitBelowInEveryRelation) {
  for (const Sensitivity& bounds :
       {Sensitivity{Relation::ReplaceOne, 2, 2}, {Relation::AddOrRemoveOne, 1, 1}, {Relation::ReplaceOne, 4, 6}}) {
    for (const char* epsilon : {"0.013", "0.5", "7"}) {
      const LaplaceLoss loss = std::get<LaplaceLoss>(*mechanisms::laplace_loss(bounds, epsilon_of(epsilon), Currency::Gdp));
      NoisePlan plan = *mechanisms::plan_noise(NoiseFamily::Laplace, bounds, loss);
      EXPECT_EQ(said(check_scales(plan, bounds, loss)), "passed") << epsilon;
      for (const LaplaceLoss& less : a_unit_less(loss)) EXPECT_THAT(said(check_scales(plan, bounds, less)), kTooMuch) << epsilon;
      // A table is not paid for by the loss of one count.
      EXPECT_THAT(said(check_scales(plan, {bounds.relation, bounds.l1 + 1, bounds.l2_squared + 1}, loss)), kTooMuch);
      plan.scale *= 1 - 1e-9;
      EXPECT_THAT(said(check_scales(plan, bounds, loss)), kTooMuch) << epsilon;
    }
  }
}

TEST(LaplacePrice, ALossWithoutAMuIsNotAskedForOne) {
  const Sensitivity table{Relation::ReplaceOne, 2, 2};
  const auto loss = *mechanisms::laplace_loss(table, epsilon_of("1"), Currency::Zcdp);
  EXPECT_FALSE(std::get<LaplaceLoss>(loss).mu_squared.has_value());
  EXPECT_EQ(said(check_scales(*mechanisms::plan_noise(NoiseFamily::Laplace, table, loss), table, loss)), "passed");
}

TEST(LaplacePrice, OtherNoiseIsNotPaidForByALaplaceLoss) {
  const Sensitivity table{Relation::ReplaceOne, 2, 2};
  const auto loss = *mechanisms::laplace_loss(table, epsilon_of("1"), Currency::Zcdp);
  EXPECT_FALSE(mechanisms::plan_noise(NoiseFamily::Gaussian, table, loss).ok());
  EXPECT_THAT(said(check_scales(NoisePlan{NoiseFamily::Gaussian, 1e6, 0}, table, loss)), kTooMuch);
  const BoxSensitivity sums{Relation::ReplaceOne, {100, 100}, 1, 1};
  EXPECT_THAT(mechanisms::plan_k_norm(sums, loss).error().message(), HasSubstr("K-norm noise costs more"));
  const CubePlan cube = *mechanisms::plan_k_norm(sums, testing::epsilon_loss("0.001"));
  EXPECT_THAT(said(check_scales(cube, sums, loss)), kTooMuch) << "although it is epsilon 0.001";
  EXPECT_THAT(said(check_pure(mpq_class(1, 1000), loss)), kTooMuch);
}

TEST(LaplacePrice, AReleaseThatWasChargedTooLittlePublishesNothing) {
  const Sensitivity table{Relation::ReplaceOne, 2, 2};
  const LaplaceLoss loss = std::get<LaplaceLoss>(*mechanisms::laplace_loss(table, epsilon_of("1"), Currency::Gdp));
  const NoisePlan plan = *mechanisms::plan_noise(NoiseFamily::Laplace, table, loss);
  test::InsecureSeededBits bits(77);
  testing::Purse purse;
  const auto sealed = [&] { return testing::sealed_for_patients(std::vector<std::int64_t>{5, 6}, table); };
  EXPECT_TRUE(release(sealed(), plan, purse.grant(loss), bits).ok());
  for (const LaplaceLoss& less : a_unit_less(loss)) {
    const auto released = release(sealed(), plan, purse.grant(less), bits);
    ASSERT_FALSE(released.ok());
    EXPECT_THAT(released.error().message(), kTooMuch);
    EXPECT_THAT(released.error().spent(), HasSubstr("was spent"));
  }
}

// --- Numbers with bounds of their own ---

struct Box {
  BoxSensitivity bounds;
  std::vector<double> weights;
};

Box random_box(std::mt19937_64& random) {
  const std::size_t stretch = 1 + random() % 5;
  const std::size_t groups = 1 + random() % 3;
  const bool replace = random() % 2 == 0;
  // Replace-one: two groups, or one where groups are public. Add-or-remove-one: one.
  const std::size_t touched = replace ? 1 + random() % std::min<std::size_t>(groups, 2) : 1;
  Box box{{replace ? Relation::ReplaceOne : Relation::AddOrRemoveOne, {}, groups, touched}, {}};
  for (std::size_t j = 0; j < stretch; ++j) box.weights.push_back(std::uniform_real_distribution<double>(0.01, 5)(random));
  for (std::size_t i = 0; i < stretch * groups; ++i) box.bounds.most.push_back(static_cast<Int128>(random() % 100'000));
  box.bounds.most.front() += 1;
  return box;
}

/// What a change gives away: its shifts priced one by one, in doubles.
struct Given {
  double epsilon = 0, rho = 0, mu_squared = 0;
};
Given given_by(const std::vector<double>& change, const std::vector<double>& scales, bool with_mu) {
  Given given;
  for (std::size_t j = 0; j < change.size(); ++j) {
    const double shift = std::abs(change[j]) / scales[j];
    given.epsilon += shift;
    given.rho += h(shift);
    if (with_mu) given.mu_squared += privacy::laplace_mu_squared_up(mpq_class(shift)).get_d();
  }
  return given;
}
bool covers(const LaplaceLoss& loss, const Given& given) {
  constexpr double kRounding = 1 + 1e-10;
  return given.epsilon <= loss.epsilon.approximate() * kRounding && given.rho <= loss.rho.approximate() * kRounding &&
         given.mu_squared <= loss.mu_squared->approximate() * kRounding;
}

TEST(LaplacePrice, OfNumbersIsTheWorstOfAllMovesThatTheirBoundsAllow) {
  std::mt19937_64 random(76);
  for (int trial = 0; trial < 60; ++trial) {
    const Box box = random_box(random);
    const LaplaceLoss loss = std::get<LaplaceLoss>(*mechanisms::laplace_loss(box.bounds, box.weights, epsilon_of("0.8"), Currency::Gdp));
    const NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Laplace, box.bounds, box.weights, loss);
    ASSERT_EQ(said(check_scales(plan, box.bounds, loss)), "passed");
    for (const LaplaceLoss& less : a_unit_less(loss)) {
      if (less.epsilon == loss.epsilon) {
        ASSERT_THAT(said(check_scales(plan, box.bounds, less)), kTooMuch) << trial;
      }
    }
    // One person touches stretches `a` and `b`, or one of them, and moves some of their figures;
    // all of them by the most is the worst.
    const std::size_t stretch = box.weights.size();
    double worst = 0;
    for (std::size_t a = 0; a < box.bounds.groups; ++a) {
      for (std::size_t b = 0; b < box.bounds.groups; ++b) {
        if (box.bounds.touched == 1 && a != b) continue;
        for (int attempt = 0; attempt < 4; ++attempt) {
          std::vector<double> change(box.bounds.most.size());
          for (std::size_t j = 0; j < stretch; ++j) {
            const double part = attempt == 0 ? 1 : std::uniform_real_distribution<double>(0, 1)(random);
            change[a * stretch + j] = part * static_cast<double>(box.bounds.most[a * stretch + j]);
            change[b * stretch + j] = part * static_cast<double>(box.bounds.most[b * stretch + j]);
          }
          const Given given = given_by(change, plan.scale, true);
          ASSERT_TRUE(covers(loss, given)) << trial;
          worst = std::max(worst, given.rho);
        }
      }
    }
    EXPECT_NEAR(worst / loss.rho.approximate(), 1, 1e-9) << trial;
    // A shift forgotten: one more stretch, or one more figure that moves.
    BoxSensitivity wider = box.bounds;
    wider.most.back() += wider.most.back() + 100'000;
    EXPECT_THAT(said(check_scales(plan, wider, loss)), kTooMuch) << trial;
  }
}

TEST(LaplacePrice, OfNumbersSeesAStretchThatWasForgotten) {
  const BoxSensitivity one{Relation::ReplaceOne, {7, 9}, 2, 1};
  const LaplaceLoss loss = std::get<LaplaceLoss>(*mechanisms::laplace_loss(one, {1}, epsilon_of("1"), Currency::Zcdp));
  NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Laplace, one, {1}, loss);
  EXPECT_EQ(said(check_scales(plan, one, loss)), "passed");
  const BoxSensitivity both{Relation::ReplaceOne, {7, 9}, 2, 2};
  EXPECT_THAT(said(check_scales(plan, both, loss)), kTooMuch);
  // Also where the epsilon would still be right, and rho alone is not.
  const LaplaceLoss cheaper{decimal("2"), loss.rho, {}};
  EXPECT_THAT(said(check_scales(plan, both, cheaper)), kTooMuch);
  EXPECT_EQ(said(check_scales(plan, both, LaplaceLoss{decimal("2"), loss.rho + loss.rho, {}})), "passed");
}

// --- Products that move together ---

using Row = std::vector<int>;

/// A covariance of columns in [-size, size]: sums, then products.
BoxSensitivity moments_of(const std::vector<int>& sizes) {
  BoxSensitivity box{Relation::ReplaceOne, {}, 1, 1, sizes.size()};
  for (const int size : sizes) box.most.push_back(2 * size);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t j = i; j < sizes.size(); ++j) box.most.push_back(Int128{sizes[i]} * sizes[j] * (i == j ? 1 : 2));
  }
  return box;
}

std::vector<double> change_of(const Row& x, const Row& y) {
  std::vector<double> change;
  for (std::size_t i = 0; i < x.size(); ++i) change.push_back(x[i] - y[i]);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i; j < x.size(); ++j) change.push_back(x[i] * x[j] - y[i] * y[j]);
  }
  return change;
}

TEST(LaplacePrice, OfProductsCoversWhatAnyTwoRowsMove) {
  std::mt19937_64 random(78);
  for (const std::vector<int>& sizes : {std::vector<int>{10}, {10, 10}, {3, 40, 10}, {10, 10, 10, 10}, {1, 5, 9, 20, 30}}) {
    const BoxSensitivity box = moments_of(sizes);
    std::vector<double> weights;
    for (std::size_t j = 0; j < box.most.size(); ++j) weights.push_back(1 + static_cast<double>(random() % 3));
    const LaplaceLoss loss = std::get<LaplaceLoss>(*mechanisms::laplace_loss(box, weights, epsilon_of("1"), Currency::Gdp));
    const NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Laplace, box, weights, loss);
    ASSERT_EQ(said(check_scales(plan, box, loss)), "passed");
    double most = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      Row x, y;
      for (const int size : sizes) {
        std::uniform_int_distribution<int> anywhere(-size, size);
        x.push_back(trial % 3 == 0 ? anywhere(random) : size);
        y.push_back(trial % 3 == 0 ? anywhere(random) : trial % 3 == 1 ? 0 : random() % 2 == 0 ? size : -size);
      }
      const Given given = given_by(change_of(x, y), plan.scale, trial < 200);
      ASSERT_TRUE(covers(loss, given)) << trial;
      most = std::max(most, given.rho);
    }
    // Not exact for products, which do not all move most at once, and never far from it.
    EXPECT_GE(most, loss.rho.approximate() / 3) << sizes.size();
    EXPECT_LE(loss.rho.approximate(), h(1) * (1 + 1e-12));
    // Without the claim that they are products, every figure may move by itself, and the same noise
    // gives away more.
    BoxSensitivity apart = box;
    apart.outer_products = 0;
    if (sizes.size() > 2) {
      EXPECT_THAT(said(check_scales(plan, apart, loss)), kTooMuch);
    }
  }
}

}  // namespace
}  // namespace tacet::kernel::laplace_price_test
