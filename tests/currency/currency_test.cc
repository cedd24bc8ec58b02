#include "tacet/privacy/currency.h"

#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tacet/privacy/parameters.h"

namespace tacet::privacy {
namespace {

Decimal decimal(const std::string& text) { return *Decimal::parse(text); }

template <class Parameter>
std::string refusal(const std::string& text) {
  const auto value = Parameter::parse(text);
  return value.ok() ? "accepted" : value.error().message();
}

/// Positive decimals of up to 30 digits between 1e-300 and 1e6.
class Sizes {
 public:
  std::string next() {
    const long exponent = static_cast<long>(random_() % 306) - 300;
    return fmt::format("{}.{}e{}", 1 + random_() % 9, random_(), exponent);
  }

 private:
  std::mt19937_64 random_{5};
};

TEST(Currency, ParametersKeepTheDecimalThatWasWritten) {
  EXPECT_EQ(Rho::parse("0.1")->value(), decimal("0.1"));
  EXPECT_EQ(Epsilon::parse("1e-300")->value(), decimal("1e-300"));
  EXPECT_EQ(Mu::parse("1e6")->value(), decimal("1000000"));
  EXPECT_EQ(Delta::parse("1e-6")->value(), decimal("0.000001"));
  EXPECT_EQ(Delta::parse("0")->value(), Decimal());
  EXPECT_EQ(Rho::of(decimal("0.125"))->value(), decimal("0.125"));
}

TEST(Currency, ParametersOutsideTheirDomainAreRefusedInWords) {
  EXPECT_EQ(refusal<Rho>("-0.25"), "rho is -0.25, but must be a finite number greater than 0");
  EXPECT_EQ(refusal<Rho>("0"), "rho is 0, but must be a finite number greater than 0");
  EXPECT_EQ(refusal<Epsilon>("-0"), "epsilon is 0, but must be a finite number greater than 0");
  EXPECT_EQ(refusal<Epsilon>("1000000.1"), "epsilon is 1000000.1, but must lie between 1e-300 and 1e6");
  EXPECT_EQ(refusal<Mu>("9.9e-301"), "mu is 9.9e-301, but must lie between 1e-300 and 1e6");
  EXPECT_EQ(refusal<Mu>("infinity"), "mu is infinity, but must be a finite decimal number greater than 0; for example: mu = 0.5");
  EXPECT_EQ(refusal<Rho>("nan"), "rho is nan, but must be a finite decimal number greater than 0; for example: rho = 0.5");
  EXPECT_EQ(refusal<Rho>(""), "rho is empty, but must be a finite decimal number greater than 0; for example: rho = 0.5");
  EXPECT_EQ(refusal<Delta>("1"), "delta is 1, but must be at least 0 and less than 1");
  EXPECT_EQ(refusal<Delta>("-1e-9"), "delta is -0.000000001, but must be at least 0 and less than 1");
  EXPECT_EQ(refusal<Delta>("1e-301"), "delta is 1e-301, but must be 0 or at least 1e-300");
  EXPECT_EQ(refusal<Delta>("half"), "delta is half, but must be a decimal number, at least 0 and less than 1; for example: delta = 1e-6");
}

TEST(Currency, ParametersHaveNoDefaultAndTakeNoBareNumber) {
  static_assert(!std::is_default_constructible_v<Rho> && !std::is_default_constructible_v<Delta>);
  static_assert(!std::is_constructible_v<Rho, double> && !std::is_constructible_v<Rho, Decimal>);
  static_assert(!std::is_convertible_v<Epsilon, Rho> && !std::is_convertible_v<Mu, Rho>);
}

TEST(Currency, NamesAreReadBack) {
  for (const Currency currency : {Currency::PureDp, Currency::ApproximateDp, Currency::Zcdp, Currency::Gdp}) {
    EXPECT_EQ(*named<Currency>("currency", name(currency)), currency);
  }
  EXPECT_EQ(name(Currency::ApproximateDp), "epsilon-delta");
  EXPECT_EQ(named<Currency>("currency", "eps").error().message(), "currency is eps, but must be epsilon, epsilon-delta, rho or mu");
  EXPECT_EQ(named<Currency>("currency", "").error().message(), "currency is empty, but must be epsilon, epsilon-delta, rho or mu");
}

// Dong, Roth & Su 2022 and Bun & Steinke 2016: the Gaussian mechanism that is mu-GDP is
// mu^2/2-zCDP.
TEST(Currency, GaussianLossesConvertExactlyBetweenRhoAndMu) {
  Sizes sizes;
  const Decimal two(2);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = sizes.next();
    const Rho rho = *Rho::parse(text);
    const Mu mu = *Mu::parse(text);
    const mpq_class size = rho.value().to_rational();
    ASSERT_EQ(amount_in(Currency::Zcdp, gaussian_loss_from_rho(rho))->first.to_rational().get_str(), mpq_class(size).get_str()) << text;
    ASSERT_EQ(amount_in(Currency::Gdp, gaussian_loss_from_rho(rho))->first.to_rational().get_str(), mpq_class(2 * size).get_str()) << text;
    ASSERT_EQ(amount_in(Currency::Gdp, gaussian_loss_from_mu(mu))->first.to_rational().get_str(), mpq_class(size * size).get_str()) << text;
    ASSERT_EQ(amount_in(Currency::Zcdp, gaussian_loss_from_mu(mu))->first.to_rational().get_str(), mpq_class(size * size / 2).get_str())
        << text;
    ASSERT_TRUE(amount_in(Currency::Gdp, gaussian_loss_from_mu(mu))->second.is_zero());
  }
}

TEST(Currency, PureAndApproximateLossesKeepTheirParts) {
  const Epsilon epsilon = *Epsilon::parse("0.3");
  const Delta delta = *Delta::parse("1e-6");
  EXPECT_EQ(*amount_in(Currency::PureDp, pure_loss(epsilon)), (Amount{decimal("0.3"), {}}));
  EXPECT_EQ(*amount_in(Currency::ApproximateDp, pure_loss(epsilon)), (Amount{decimal("0.3"), {}}));
  EXPECT_EQ(*amount_in(Currency::ApproximateDp, approximate_loss(epsilon, delta)), (Amount{decimal("0.3"), decimal("1e-6")}));
}

TEST(Currency, WhatNoTheoremConvertsIsRefusedInWords) {
  const Loss pure = pure_loss(*Epsilon::parse("1")), gaussian = gaussian_loss_from_rho(*Rho::parse("1"));
  const Loss approximate = approximate_loss(*Epsilon::parse("1"), *Delta::parse("1e-6"));
  const auto said = [](Currency currency, const Loss& loss) {
    const auto amount = amount_in(currency, loss);
    return amount.ok() ? "accepted" : std::string(name(amount.error().code())) + ": " + amount.error().message();
  };
  const std::string for_gaussian =
      "Unsupported: the budget is kept in {}, but the release uses Gaussian noise, which is accounted in rho or mu; "
      "use mechanism = laplace with epsilon, or a budget in rho or mu";
  const std::string for_others =
      "Unsupported: the budget is kept in {}, but the release uses noise that is accounted in epsilon; "
      "use mechanism = gaussian with rho or mu, or a budget in epsilon";
  EXPECT_EQ(said(Currency::PureDp, gaussian), fmt::format(fmt::runtime(for_gaussian), "epsilon"));
  EXPECT_EQ(said(Currency::ApproximateDp, gaussian), fmt::format(fmt::runtime(for_gaussian), "epsilon-delta"));
  EXPECT_EQ(said(Currency::Zcdp, pure), fmt::format(fmt::runtime(for_others), "rho"));
  EXPECT_EQ(said(Currency::Gdp, pure), fmt::format(fmt::runtime(for_others), "mu"));
  EXPECT_EQ(said(Currency::Zcdp, approximate), fmt::format(fmt::runtime(for_others), "rho"));
  EXPECT_EQ(said(Currency::Gdp, approximate), fmt::format(fmt::runtime(for_others), "mu"));
  // A delta cannot be charged to a budget that has none.
  EXPECT_EQ(said(Currency::PureDp, approximate),
            "Unsupported: the budget is kept in epsilon, but the release uses a delta, which such a budget does not have; "
            "use mechanism = laplace with epsilon alone, or a budget in epsilon and delta");
}

TEST(Currency, BudgetsHoldWhatTheirOwnerWrote) {
  EXPECT_EQ(budget_of(*Rho::parse("0.5")).total, (Amount{decimal("0.5"), {}}));
  EXPECT_EQ(budget_of(*Rho::parse("0.5")).currency, Currency::Zcdp);
  EXPECT_EQ(budget_of(*Mu::parse("0.5")).total, (Amount{decimal("0.25"), {}}));
  EXPECT_EQ(budget_of(*Mu::parse("0.5")).currency, Currency::Gdp);
  EXPECT_EQ(budget_of(*Epsilon::parse("2")).total, (Amount{Decimal(2), {}}));
  EXPECT_EQ(budget_of(*Epsilon::parse("2")).currency, Currency::PureDp);
  EXPECT_EQ(budget_of(*Epsilon::parse("2"), *Delta::parse("1e-9")).total, (Amount{Decimal(2), decimal("1e-9")}));
  EXPECT_EQ(budget_of(*Epsilon::parse("2"), *Delta::parse("1e-9")).currency, Currency::ApproximateDp);
}

TEST(Currency, TenChargesOfATenthFillABudgetOfOneExactly) {
  const Amount tenth = *amount_in(Currency::Zcdp, gaussian_loss_from_rho(*Rho::parse("0.1")));
  Amount room = budget_of(*Rho::parse("1")).total;
  for (int charge = 0; charge < 10; ++charge) {
    ASSERT_TRUE(fits(tenth, room)) << charge;
    room = room - tenth;
  }
  EXPECT_EQ(room, Amount());
  EXPECT_FALSE(fits(tenth, room));
  EXPECT_FALSE(fits(*amount_in(Currency::Zcdp, gaussian_loss_from_rho(*Rho::parse("1e-300"))), room));
}

TEST(Currency, AChargeFitsOnlyWhereBothItsPartsFit) {
  const Amount room{Decimal(1), decimal("1e-6")};
  EXPECT_TRUE(fits(room, room));
  EXPECT_TRUE(fits({decimal("0.5"), {}}, room));
  EXPECT_FALSE(fits({decimal("1.0000000000000000000000000001"), {}}, room));
  EXPECT_FALSE(fits({decimal("0.5"), decimal("1.0000000000000000000000000001e-6")}, room));
  EXPECT_EQ((Amount{Decimal(1), Decimal(2)} + Amount{Decimal(3), Decimal(4)}), (Amount{Decimal(4), Decimal(6)}));
}

TEST(Currency, DescribesAmountsForPeople) {
  EXPECT_EQ(describe(Currency::Zcdp, {decimal("0.125"), {}}), "rho 0.125");
  EXPECT_EQ(describe(Currency::PureDp, {Decimal(1), {}}), "epsilon 1");
  EXPECT_EQ(describe(Currency::ApproximateDp, {Decimal(1), decimal("1e-6")}), "epsilon 1, delta 0.000001");
  EXPECT_EQ(describe(Currency::ApproximateDp, {Decimal(1), decimal("1e-20")}), "epsilon 1, delta 1e-20");
  EXPECT_EQ(describe(Currency::Gdp, {decimal("0.25"), {}}), "mu 0.5");
  EXPECT_EQ(describe(Currency::Gdp, {decimal("0.3"), {}}), "mu^2 0.3");
  EXPECT_EQ(describe(Currency::Gdp, {decimal("2.5"), {}}), "mu^2 2.5");
  EXPECT_EQ(describe(Currency::Gdp, {decimal("6.25e-20"), {}}), "mu 0.00000000025");
  EXPECT_EQ(describe(Currency::Gdp, {Decimal(4), {}}), "mu 2");
  EXPECT_EQ(describe(Currency::Gdp, {Decimal(), {}}), "mu 0");
}

TEST(Currency, DescribesEveryMuByItsOwnRoot) {
  Sizes sizes;
  for (int i = 0; i < 500; ++i) {
    const Mu mu = *Mu::parse(sizes.next());
    ASSERT_EQ(describe(Currency::Gdp, budget_of(mu).total), "mu " + mu.value().to_string());
  }
  // The longest that can be written is described too, if not by its root.
  const std::string longest = "1." + std::string(3990, '3');
  EXPECT_FALSE(describe(Currency::Gdp, budget_of(*Mu::parse(longest)).total).empty());
}

}  // namespace
}  // namespace tacet::privacy
