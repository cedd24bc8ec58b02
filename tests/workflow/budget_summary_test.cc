#include "tacet/workflow/budget_summary.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

TEST(BudgetAmountWords, SayMuAndItsSquareWhereTheRootIsNoShortDecimal) {
  const auto shown = [](const char* mu_squared) { return words({privacy::Currency::Gdp, {*Decimal::parse(mu_squared), {}}}); };
  EXPECT_EQ(shown("0.25"), "mu 0.5");
  EXPECT_EQ(shown("0.3"), "mu 0.547722 (mu^2 0.3)");
  EXPECT_EQ(shown("3e-12"), "mu 1.73205e-06 (mu^2 0.000000000003)");
  EXPECT_EQ(shown("0"), "mu 0");
  EXPECT_EQ(shown("1.4000000001319999999516"), "mu 1.18321 (mu^2 1.4)");
  EXPECT_EQ(shown("0.9716716291606367908"), "mu 0.985734 (mu^2 0.971671)");
  const auto spent = [](const char* mu_squared) {
    return words({privacy::Currency::Gdp, {*Decimal::parse(mu_squared), {}}}, AmountIs::Spent);
  };
  EXPECT_EQ(spent("0.9716716291606367908"), "mu 0.985735 (mu^2 0.971672)");
  EXPECT_EQ(spent("0.3"), "mu 0.547723 (mu^2 0.3)");
  EXPECT_EQ(spent("1.44000000000000000001"), "mu 1.2 (mu^2 1.44)");
  EXPECT_EQ(shown("1.44000000000000000001"), "mu 1.2 (mu^2 1.44)");
  const BudgetAmount rho{privacy::Currency::Zcdp, {*Decimal::parse("0.05760156614281"), {}}};
  EXPECT_EQ(words(rho), "rho 0.0576015");
  EXPECT_EQ(words(rho, AmountIs::Spent), "rho 0.0576016");
  const BudgetAmount both{privacy::Currency::ApproximateDp, {*Decimal::parse("0.12345678"), *Decimal::parse("0.000001")}};
  EXPECT_EQ(words(both), "epsilon 0.123456, delta 0.000001");
}

}  // namespace
}  // namespace tacet
