#include "tacet/privacy/filter.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/privacy/composition_basic.h"
#include "tacet/privacy/composition_optimal.h"

#include "privacy/composition_reference.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::privacy {
namespace {

Epsilon epsilon(const char* text) { return *Epsilon::parse(text); }
Epsilon epsilon(double value) { return *Epsilon::of(*Decimal::from_shortest(value)); }
Delta delta(const char* text) { return *Delta::parse(text); }
Delta delta(double value) { return *Delta::of(*Decimal::from_shortest(value)); }
Step pure(const char* text) { return Step::of(pure_loss(epsilon(text))); }
Step pure(double value) { return Step::of(pure_loss(epsilon(value))); }
Step gaussian(const char* mu) { return Step::of(gaussian_loss_from_mu(*Mu::parse(mu))); }

TEST(RogersFilter, AgreesWithIndependentValues) {
  for (const test::CompositionRow& row : test::composition_rows()) {
    // K of (5.12) depends on the budget through x only; it is read off before the filter would stop, so a loss is split where it must be.
    Filter filter = *Filter::rogers(epsilon(row.epsilon_g), delta(row.delta_g));
    bool all = true;
    for (const double value : row.epsilons) all = all && *filter.spend(pure(value), row.times) == Verdict::Go;
    if (row.filter_k <= row.epsilon_g) {
      EXPECT_TRUE(all);
      EXPECT_NEAR(filter.spent() / row.filter_k, 1, 1e-9);
    } else {
      EXPECT_FALSE(all);
    }
    // Written into the state by hand, the totals give K even where the filter would have stopped.
    exact::FixedDecimal squares;
    exact::FixedDecimal drift;
    for (const double value : row.epsilons) {
      const Decimal exact = *Decimal::from_shortest(value);
      squares += exact::FixedDecimal::at_least(exact * exact).times(row.times);
      drift += exact::FixedDecimal::at_least(static_cast<long double>(value * std::expm1(value) / 2), 0).times(row.times);
    }
    const Filter forced =
        *Filter::parse("filter 1 rogers " + epsilon(row.epsilon_g).value().to_string() + " " + delta(row.delta_g).value().to_string() +
                       " 0 1 " + squares.to_string() + " " + drift.to_string() + " 0");
    EXPECT_NEAR(forced.spent() / row.filter_k, 1, 1e-9);
  }
}

TEST(BasicFilter, HoldsExactlyThreeTenths) {
  Filter filter = *Filter::basic(epsilon("0.3"), delta("0"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*filter.spend(pure("0.1")), Verdict::Go);
  EXPECT_EQ(*filter.spend(pure("1e-30")), Verdict::Stop);
  EXPECT_NEAR(filter.spent(), 0.3, 1e-15);
  EXPECT_EQ(filter.state(), "filter 1 basic 0.3 0 0 3 0.3 0 0");
}

TEST(BasicFilter, CountsDeltasApart) {
  Filter filter = *Filter::basic(epsilon("1"), delta("1e-6"));
  const Step step = Step::of(approximate_loss(epsilon("0.1"), delta("4e-7")));
  EXPECT_EQ(*filter.spend(step, 2), Verdict::Go);
  EXPECT_EQ(*filter.ask(step), Verdict::Stop);
  EXPECT_EQ(*filter.ask(pure("0.8")), Verdict::Go);
  EXPECT_NEAR(filter.delta_spent(), 8e-7, 1e-20);
}

TEST(WhitehouseFilter, GoesOnExactlyWhileTheTheoremAllows) {
  // 1000 steps of 0.01: V = 0.1.
  const double log_slack = std::log(1e6);
  const double needed = std::sqrt(2 * log_slack * 0.1) + 0.05;
  Filter enough = *Filter::whitehouse(epsilon(needed * (1 + 1e-14)), delta("1e-6"), delta("1e-6"));
  EXPECT_EQ(*enough.spend(pure("0.01"), 1000), Verdict::Go);
  EXPECT_NEAR(enough.spent(), needed, 1e-13);
  EXPECT_EQ(*enough.ask(pure("0.0001")), Verdict::Stop);
  const Filter too_little = *Filter::whitehouse(epsilon(needed * (1 - 1e-14)), delta("1e-6"), delta("1e-6"));
  EXPECT_EQ(*too_little.ask(pure("0.01"), 1000), Verdict::Stop);
  EXPECT_EQ(*too_little.ask(pure("0.01"), 999), Verdict::Go);
}

TEST(WhitehouseFilter, KeepsTheSlackApartFromTheDeltasOfTheSteps) {
  Filter filter = *Filter::whitehouse(epsilon("1"), delta("1e-6"), delta("6e-7"));
  const Step step = Step::of(approximate_loss(epsilon("0.01"), delta("2e-7")));
  EXPECT_EQ(*filter.spend(step, 2), Verdict::Go);
  EXPECT_EQ(*filter.spend(step), Verdict::Stop);
  EXPECT_EQ(*filter.spend(pure("0.01")), Verdict::Go);
}

TEST(WhitehouseFilter, AllowsMoreThanRogersAndNeverMoreThanTheOptimalRule) {
  for (const char* d : {"1e-3", "1e-6", "1e-9"}) {
    for (const char* e : {"0.001", "0.01", "0.1"}) {
      const Epsilon budget = epsilon("1");
      Filter whitehouse = *Filter::whitehouse(budget, delta(d), delta(d));
      Filter rogers = *Filter::rogers(budget, delta(d));
      std::uint64_t steps = 0;
      for (std::uint64_t jump = std::uint64_t{1} << 30; jump > 0; jump /= 2) {
        if (*whitehouse.spend(pure(e), jump) == Verdict::Go) steps += jump;
        (void)*rogers.spend(pure(e), jump);
      }
      EXPECT_GT(steps, rogers.steps()) << d << " " << e;
      ASSERT_GT(steps, 0U);
      const LossList spent = *LossList::of({*LossTerm::of(epsilon(e), delta("0"), steps)});
      EXPECT_LE(optimal_epsilon(spent, delta(d))->lower, 1) << d << " " << e;
      EXPECT_LE(optimal_delta(spent, budget)->upper, delta(d).value().approximate());
      EXPECT_GE(*advanced_epsilon(*LossList::of({*LossTerm::of(epsilon(e), delta("0"), steps + 1)}), delta(d)), 0.999);
    }
  }
}

TEST(ZcdpFilter, CountsRhoFromGaussianAndPureLosses) {
  Filter filter = Filter::zcdp(*Rho::parse("0.3"));
  EXPECT_EQ(*filter.spend(gaussian("0.5")), Verdict::Go);  // 0.125
  EXPECT_EQ(*filter.spend(pure("0.5")), Verdict::Go);      // 0.125
  EXPECT_EQ(*filter.spend(Step::zcdp(*Rho::parse("0.05"))), Verdict::Go);
  EXPECT_EQ(*filter.spend(Step::zcdp(*Rho::parse("1e-20"))), Verdict::Stop);
  EXPECT_NEAR(filter.spent(), 0.3, 1e-15);
}

TEST(GdpFilter, AddsSquares) {
  Filter filter = Filter::gdp(*Mu::parse("0.5"));
  EXPECT_EQ(*filter.spend(gaussian("0.3")), Verdict::Go);
  EXPECT_EQ(*filter.spend(gaussian("0.4")), Verdict::Go);
  EXPECT_EQ(*filter.spend(gaussian("1e-9")), Verdict::Stop);
  EXPECT_NEAR(filter.spent(), 0.5, 1e-15);
}

TEST(Filter, SeveralStepsAsOneAmountToTheSame) {
  const Step small = Step::of(pure_loss(epsilon("0.01")));
  const Step large = Step::of(approximate_loss(epsilon("0.2"), delta("1e-9")));
  const Step both = small.with(30, large, 2);
  for (const Filter& fresh : {*Filter::basic(epsilon("1"), delta("1e-6")), *Filter::rogers(epsilon("9"), delta("1e-6")),
                              *Filter::whitehouse(epsilon("9"), delta("1e-6"), delta("5e-7"))}) {
    Filter filter = fresh;
    ASSERT_EQ(*filter.spend(small, 30), Verdict::Go);
    ASSERT_EQ(*filter.spend(large, 2), Verdict::Go);
    EXPECT_EQ(*fresh.spent_after(both), filter.spent());
    EXPECT_EQ(*filter.spent_after(both, 1000), *fresh.spent_after(both, 1001)) << "what a filter would stop has an amount too";
    EXPECT_EQ(*filter.ask(both, 1000), Verdict::Stop);
  }
  EXPECT_FALSE(Filter::zcdp(*Rho::parse("1")).spent_after(both).ok()) << "a step with a delta has no rho";
}

TEST(Filter, AskingSpendsNothingAndRefusalSpendsNothing) {
  Filter filter = *Filter::rogers(epsilon("1"), delta("1e-6"));
  const std::string before = filter.state();
  EXPECT_EQ(*filter.ask(pure("0.01")), Verdict::Go);
  EXPECT_EQ(*filter.spend(pure("0.9")), Verdict::Stop);
  EXPECT_FALSE(filter.spend(gaussian("0.1")));
  EXPECT_FALSE(filter.spend(pure("0.01"), 0));
  EXPECT_EQ(filter.state(), before);
  EXPECT_EQ(*filter.spend(pure("0.01")), Verdict::Go);
  EXPECT_NE(filter.state(), before);
  EXPECT_EQ(filter.steps(), 1U);
}

TEST(Filter, SaysWhichLossesItCannotCount) {
  Filter gdp = Filter::gdp(*Mu::parse("1"));
  const auto refused = gdp.spend(pure("0.1"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::Unsupported);
  EXPECT_EQ(refused.error().message(),
            "a filter by the rule gdp cannot count such a loss; Gaussian losses: zcdp or gdp; pure losses: any rule but gdp; losses with a "
            "delta: basic, rogers or whitehouse");
  Filter zcdp = Filter::zcdp(*Rho::parse("1"));
  EXPECT_FALSE(zcdp.ask(Step::of(approximate_loss(epsilon("0.1"), delta("1e-9")))));
}

TEST(Filter, RefusesBudgetsOutsideItsTheorem) {
  EXPECT_EQ(Filter::rogers(epsilon("1"), delta("0")).error().message(),
            "delta is 0, but must be greater than 0 for this rule; with delta 0 only the rule basic holds");
  EXPECT_EQ(Filter::rogers(epsilon("1"), delta("0.4")).error().message(), "delta is 0.4, but must be less than 1/e for the rule rogers");
  EXPECT_EQ(Filter::whitehouse(epsilon("1"), delta("1e-6"), delta("2e-6")).error().message(),
            "slack is 0.000002, but must be greater than 0 and at most delta, 0.000001");
  EXPECT_EQ(Filter::whitehouse(epsilon("1"), delta("1e-6"), delta("0")).error().message(),
            "slack is 0, but must be greater than 0 and at most delta, 0.000001");
}

TEST(Filter, StateReadsBackAndOtherTextIsRefused) {
  std::vector<Filter> filters = {*Filter::basic(epsilon("1"), delta("1e-6")), *Filter::rogers(epsilon("2"), delta("1e-6")),
                                 *Filter::whitehouse(epsilon("1"), delta("1e-6"), delta("5e-7")), Filter::zcdp(*Rho::parse("0.5"))};
  for (Filter& filter : filters) {
    EXPECT_EQ(*filter.spend(pure("0.012345678901234567"), 7), Verdict::Go);
    Filter copy = *Filter::parse(filter.state());
    EXPECT_EQ(copy.state(), filter.state());
    EXPECT_EQ(copy.spent(), filter.spent());
    EXPECT_EQ(*copy.ask(pure("0.3")), *filter.ask(pure("0.3")));
  }
  const std::string good = filters[1].state();
  for (const std::string& bad : {std::string(), good + " ", good + " 1", good.substr(1), std::string("filter 2") + good.substr(8),
                                 std::string("filter 1 rogers 1 0.9 0 0 0 0 0"), std::string("filter 1 rogers 1 1e-6 0 -1 0 0 0"),
                                 std::string("filter 1 gold 1 1e-6 0 0 0 0 0"), std::string("filter 1 basic nan 0 0 0 0 0 0"),
                                 std::string("filter 1 basic 1 0 0 0 -0.5 0 0"), std::string("filter 1 basic 1 0 0 0 1e-41 0 0")}) {
    EXPECT_FALSE(Filter::parse(bad)) << bad;
  }
}

// The accumulated excess over exact rationals: none for decimals, 10^-40 per step at most for what is no decimal.
TEST(Filter, TenMillionStepsLoseNothing) {
  Filter filter = *Filter::rogers(epsilon("1000000"), delta("1e-6"));
  const Step small = pure("0.0000123456789");
  const Step other = pure("0.000777");
  const int steps = static_cast<int>(10000000 / (test::coarseness() * test::coarseness()));
  for (int i = 0; i < steps; ++i) ASSERT_EQ(*filter.spend((i & 1) != 0 ? small : other), Verdict::Go);
  const Decimal half(static_cast<long>(steps / 2));
  const Decimal a = *Decimal::parse("0.0000123456789");
  const Decimal b = *Decimal::parse("0.000777");
  const Decimal exact = half * (a * a + b * b);
  const std::string state = filter.state();
  EXPECT_NE(state.find(" " + exact::FixedDecimal::at_least(exact).to_string() + " "), std::string::npos) << state;
  EXPECT_EQ(filter.steps(), static_cast<std::uint64_t>(steps));
}

TEST(Filter, StopsForGoodWhenTotalsLeaveTheirRange) {
  Filter filter = *Filter::rogers(epsilon("1000000"), delta("1e-6"));
  EXPECT_EQ(*filter.spend(pure("100000")), Verdict::Stop);  // e^100000 is no number
  Filter basic = *Filter::basic(epsilon("1000000"), delta("0.9"));
  EXPECT_EQ(*basic.spend(pure("1000000"), ~std::uint64_t{0}), Verdict::Stop);
  EXPECT_EQ(*basic.spend(pure("1000000")), Verdict::Go);
  EXPECT_EQ(*basic.spend(pure("1e-300")), Verdict::Stop);
}

// On random adaptive-looking sequences, every filter stops no later than the exact rule for the losses it let through would allow.
TEST(Filter, WhatItLetsThroughIsNeverMoreThanTheOptimalRuleAllows) {
  test::InsecureStream stream(test::suite_seed());
  const auto uniform = [&] { return static_cast<double>(stream.next() >> 11) * 0x1p-53; };
  for (int round = 0; round < 4; ++round) {
    for (const bool whitehouse : {false, true}) {
      Filter filter =
          whitehouse ? *Filter::whitehouse(epsilon("1"), delta("1e-5"), delta("1e-5")) : *Filter::rogers(epsilon("1"), delta("1e-5"));
      std::vector<LossTerm> through;
      for (int i = 0; i < 300; ++i) {
        const double e = std::exp(-2 - 4 * uniform());
        if (*filter.spend(pure(e)) == Verdict::Go) through.push_back(*LossTerm::of(e, 0, 1));
      }
      ASSERT_FALSE(through.empty());
      EXPECT_LE(optimal_epsilon(*LossList::of(through), delta("1e-5"))->upper, 1);
      EXPECT_LE(filter.spent(), 1);
    }
  }
}

}  // namespace
}  // namespace tacet::privacy
