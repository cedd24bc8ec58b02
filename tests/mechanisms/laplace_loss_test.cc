#include "tacet/mechanisms/laplace_loss.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/privacy/filter.h"
#include "tacet/privacy/parameters.h"

namespace tacet::mechanisms::laplace_loss_test {
namespace {

using kernel::BoxSensitivity;
using kernel::NoiseFamily;
using kernel::Relation;
using kernel::Sensitivity;
using privacy::budget_of;
using privacy::Currency;
using privacy::LaplaceLoss;

const Sensitivity kTable{Relation::ReplaceOne, 2, 2};
const Sensitivity kOne{Relation::AddOrRemoveOne, 1, 1};

Decimal decimal(const std::string& text) { return *Decimal::parse(text); }
privacy::Budget epsilon(const std::string& text) { return budget_of(*privacy::Epsilon::parse(text)); }
privacy::Budget rho(const std::string& text) { return budget_of(*privacy::Rho::parse(text)); }

LaplaceLoss loss_of(const Sensitivity& sensitivity, const privacy::Budget& asked, Currency budget = Currency::Zcdp) {
  return std::get<LaplaceLoss>(*laplace_loss(sensitivity, asked, budget));
}

TEST(LaplaceLoss, HasTheKnownPrices) {
  const std::vector<std::string> epsilons = {"0.1", "1", "3", "10"};
  const std::vector<std::string> table = {"0.0024588490014281", "0.21306131942527", "1.4462603202969", "8.0134758939982"};
  const std::vector<double> mu = {0.0777154368, 0.7075515359, 1.8330142115, 4.589577632};
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    const LaplaceLoss loss = loss_of(kTable, epsilon(epsilons[i]), Currency::Gdp);
    EXPECT_EQ(loss.epsilon, decimal(epsilons[i]));
    EXPECT_EQ(loss.rho.to_string(), table[i]);
    EXPECT_NEAR(std::sqrt(loss.mu_squared->approximate()) / mu[i], 1, 1e-9);
    EXPECT_FALSE(loss_of(kTable, epsilon(epsilons[i])).mu_squared.has_value());
  }
  EXPECT_NEAR(loss_of(kOne, epsilon("1")).rho.approximate(), std::exp(-1.0), 1e-13);
}

TEST(LaplaceLoss, IsTheSameForTheSameNoiseHoweverItIsAskedFor) {
  for (const Sensitivity& sensitivity : {kTable, kOne, Sensitivity{Relation::ReplaceOne, 4, 6}}) {
    for (const char* text : {"0.001", "0.1", "0.5", "2", "30"}) {
      const LaplaceLoss by_epsilon = loss_of(sensitivity, epsilon(text), Currency::Gdp);
      const LaplaceLoss by_rho = loss_of(sensitivity, rho(by_epsilon.rho.to_string()), Currency::Gdp);
      EXPECT_EQ(by_rho.epsilon, by_epsilon.epsilon) << text;
      EXPECT_EQ(by_rho.rho, by_epsilon.rho) << text;
      EXPECT_EQ(by_rho.mu_squared, by_epsilon.mu_squared) << text;
      const LaplaceLoss by_mu = loss_of(sensitivity, {Currency::Gdp, {*by_epsilon.mu_squared, {}}}, Currency::Gdp);
      EXPECT_EQ(by_mu.epsilon, by_epsilon.epsilon) << text;
      EXPECT_EQ(by_mu.mu_squared, by_epsilon.mu_squared) << text;
    }
  }
}

TEST(LaplaceLoss, BuysTheLargestEpsilonThatThePromiseCovers) {
  for (const char* text : {"1e-9", "0.003", "0.1", "1", "17.3"}) {
    const LaplaceLoss loss = loss_of(kTable, rho(text));
    EXPECT_LE(loss.rho, decimal(text));
    EXPECT_GT(loss.rho.approximate(), decimal(text).approximate() * (1 - 1e-10));
    // With a unit in the twelfth digit more it would cost more than was promised.
    const Decimal more = loss.epsilon * decimal("1.00000000001");
    EXPECT_GT(loss_of(kTable, budget_of(*privacy::Epsilon::of(more))).rho, decimal(text)) << text;
  }
  EXPECT_NEAR(loss_of(kTable, rho("0.125")).epsilon.approximate(), 0.751346710673, 1e-11);
  EXPECT_NEAR(loss_of(kTable, budget_of(*privacy::Mu::parse("0.5"))).epsilon.approximate(), 0.685844464, 1e-8);
}

TEST(LaplaceLoss, OfNumbersIsOneForAllWaysToAsk) {
  const BoxSensitivity box{Relation::ReplaceOne, {100, 2000, 7, 30, 5, 9}, 2, 2};
  const std::vector<double> weights = {1, 2, 0.5};
  const LaplaceLoss by_epsilon = std::get<LaplaceLoss>(*laplace_loss(box, weights, epsilon("0.6"), Currency::Gdp));
  for (const privacy::Budget& asked : {rho(by_epsilon.rho.to_string()), privacy::Budget{Currency::Gdp, {*by_epsilon.mu_squared, {}}}}) {
    const LaplaceLoss same = std::get<LaplaceLoss>(*laplace_loss(box, weights, asked, Currency::Gdp));
    EXPECT_EQ(same.epsilon, by_epsilon.epsilon);
    EXPECT_EQ(same.rho, by_epsilon.rho);
    EXPECT_EQ(same.mu_squared, by_epsilon.mu_squared);
  }
  const auto plan = plan_numbers(NoiseFamily::Laplace, box, weights, by_epsilon);
  EXPECT_EQ(plan->scale, plan_numbers(NoiseFamily::Laplace, box, weights, privacy::PureLoss{decimal("0.6")})->scale);
  EXPECT_TRUE(kernel::check_scales(*plan, box, by_epsilon).ok());
}

TEST(LaplaceLoss, RefusesWhatLaplaceNoiseCannotKeep) {
  const auto delta = laplace_loss(kTable, budget_of(*privacy::Epsilon::parse("1"), *privacy::Delta::parse("1e-6")), Currency::Zcdp);
  EXPECT_EQ(delta.error().code(), Code::Unsupported);
  EXPECT_FALSE(laplace_loss(kTable, rho("1e-299"), Currency::Zcdp).ok());
  EXPECT_FALSE(laplace_loss(kTable, epsilon("1000"), Currency::Gdp).ok());
  EXPECT_TRUE(laplace_loss(kTable, epsilon("1000"), Currency::Zcdp).ok());
  EXPECT_FALSE(laplace_loss({Relation::ReplaceOne, {0}, 1, 1}, {1}, epsilon("1"), Currency::Zcdp).ok());
}

}  // namespace
}  // namespace tacet::mechanisms::laplace_loss_test
