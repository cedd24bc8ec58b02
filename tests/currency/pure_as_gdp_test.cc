#include <gtest/gtest.h>

#include "tacet/accounting/conversion.h"
#include "tacet/privacy/noise_proofs.h"

namespace tacet::privacy {
namespace {

Decimal decimal_of(const char* text) { return *Decimal::parse(text); }

TEST(PureAsGdp, IsTheConversionRoundedUpOnItsGrid) {
  for (const char* text : {"1e-9", "1e-6", "0.001", "0.01", "0.1", "0.3", "0.999999999", "1", "1.5", "3", "9.99", "10", "42.7", "100"}) {
    const Decimal mu = *mu_of_pure_up(decimal_of(text));
    const double epsilon = decimal_of(text).approximate();
    // pure_epsilon_for_gdp is rounded down by a relative 1e-12 or so, hence the margins.
    EXPECT_GE(*accounting::pure_epsilon_for_gdp(mu.approximate()), epsilon * (1 - 1e-11)) << text;
    EXPECT_LE(*accounting::pure_epsilon_for_gdp(mu.approximate() * (1 - 1e-9)), epsilon) << text;
    const double converted = accounting::gdp_of_pure(epsilon)->mu;
    EXPECT_GE(mu.approximate(), converted * (1 - 2e-12)) << text;
    EXPECT_LE(mu.approximate(), converted * (1 + 1e-9)) << text;
  }
}

TEST(PureAsGdp, HasFewDigitsSoThatTotalsStayExact) {
  // 2 Phi^-1(e/(1 + e)) = 1.23203538...; the square of 11 digits has at most 20 after the point.
  EXPECT_EQ(mu_of_pure_up(decimal_of("1"))->to_string(), "1.2320353854");
}

TEST(PureAsGdp, GrowsWithEpsilonAndCountsTheSmallestAsOneBillionth) {
  Decimal before;
  for (int i = 1; i <= 200; ++i) {
    const Decimal mu = *mu_of_pure_up(Decimal(i) * decimal_of("0.05"));
    EXPECT_GT(mu, before) << i;
    before = mu;
  }
  EXPECT_EQ(*mu_of_pure_up(decimal_of("1e-300")), *mu_of_pure_up(decimal_of("1e-9")));
}

TEST(PureAsGdp, RefusesWhatItCannotCertify) {
  EXPECT_EQ(mu_of_pure_up(decimal_of("100.1")).error().message(),
            "epsilon is 100.1, but must be greater than 0 and at most 100 to be counted in mu; use less, or a budget in epsilon");
  EXPECT_FALSE(mu_of_pure_up(decimal_of("0")).ok());
  EXPECT_FALSE(mu_of_pure_up(decimal_of("-1")).ok());
}

}  // namespace
}  // namespace tacet::privacy
