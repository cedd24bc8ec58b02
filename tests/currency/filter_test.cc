#include "tacet/privacy/filter.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tacet/accounting/composition_basic.h"
#include "tacet/accounting/composition_optimal.h"
#include "tacet/accounting/room_left.h"
#include "tacet/exact/fixed_point.h"
#include "tacet/privacy/filter_words.h"
#include "tacet/privacy/noise_proofs.h"
#include "tacet/privacy/parameters.h"

#include "accounting/composition_reference.h"
#include "support/promise.h"
#include "support/scripted_bits.h"
#include "support/spend.h"

namespace tacet::privacy {
namespace {

using namespace accounting;

Epsilon epsilon(const char* text) { return *Epsilon::parse(text); }
Epsilon epsilon(double value) { return *Epsilon::of(*Decimal::from_shortest(value)); }
Delta delta_of(const char* text) { return *Delta::parse(text); }
Delta delta_of(double value) { return *Delta::of(*Decimal::from_shortest(value)); }
Step pure(const char* text) { return Step::of(pure_loss(epsilon(text))); }
Step rho_step(const Rho& rho) { return Step::of(gaussian_loss_from_rho(rho)); }
Step pure(double value) { return Step::of(pure_loss(epsilon(value))); }
Step gaussian(const char* mu) { return Step::of(gaussian_loss_from_mu(*Mu::parse(mu))); }

/// In units of totals.
mpz_class units_up(const mpq_class& value) { return exact::units_up(value * Decimal(1, -kUnitLog10).to_rational(), 0); }

TEST(RogersFilter, AgreesWithIndependentValues) {
  for (const test::CompositionRow& row : test::composition_rows()) {
    // K of (5.12) depends on the budget through x only; it is read off before the filter would
    // stop, so a loss is split where it must be.
    Filter filter = *rogers_filter(epsilon(row.epsilon_g), delta_of(row.delta_g));
    bool all = true;
    for (const double value : row.epsilons) all = all && *test::spend(filter, pure(value), row.times) == Verdict::Go;
    if (row.filter_k <= row.epsilon_g) {
      EXPECT_TRUE(all);
      EXPECT_NEAR(filter.spent() / row.filter_k, 1, 1e-9);
    } else {
      EXPECT_FALSE(all);
    }
    // From these totals, K even where the filter would have stopped.
    mpz_class squares, drift;
    for (const double value : row.epsilons) {
      const Decimal exact = *Decimal::from_shortest(value);
      squares += units_up((exact * exact).to_rational()) * mpz_class(row.times);
      drift += units_up(mpq_class(value * std::expm1(value) / 2)) * mpz_class(row.times);
    }
    const Filter forced = rogers_filter(epsilon(row.epsilon_g), delta_of(row.delta_g))->resumed({squares, drift, {}});
    EXPECT_NEAR(forced.spent() / row.filter_k, 1, 1e-9);
  }
}

TEST(BasicFilter, HoldsExactlyThreeTenths) {
  Filter filter = *basic_filter(epsilon("0.3"), delta_of("0"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*test::spend(filter, pure("0.1")), Verdict::Go);
  EXPECT_EQ(*test::spend(filter, pure("1e-30")), Verdict::Stop);
  EXPECT_NEAR(filter.spent(), 0.3, 1e-15);
  EXPECT_EQ(Decimal(filter.totals().first, kUnitLog10), *Decimal::parse("0.3"));
}

TEST(BasicFilter, CountsDeltasApart) {
  Filter filter = *basic_filter(epsilon("1"), delta_of("1e-6"));
  const Step step = Step::of(approximate_loss(epsilon("0.1"), delta_of("4e-7")));
  EXPECT_EQ(*test::spend(filter, step, 2), Verdict::Go);
  EXPECT_EQ(*filter.ask(step), Verdict::Stop);
  EXPECT_EQ(*filter.ask(pure("0.8")), Verdict::Go);
  EXPECT_EQ(privacy::spent_amount(filter).second, *Decimal::parse("8e-7"));
}

TEST(WhitehouseFilter, GoesOnExactlyWhileTheTheoremAllows) {
  // 1000 steps of 0.01: V = 0.1.
  const double log_slack = std::log(1e6);
  const double needed = std::sqrt(2 * log_slack * 0.1) + 0.05;
  Filter enough = *whitehouse_filter(epsilon(needed * (1 + 1e-14)), delta_of("1e-6"), delta_of("1e-6"));
  EXPECT_EQ(*test::spend(enough, pure("0.01"), 1000), Verdict::Go);
  EXPECT_NEAR(enough.spent(), needed, 1e-13);
  EXPECT_EQ(*enough.ask(pure("0.0001")), Verdict::Stop);
  const Filter too_little = *whitehouse_filter(epsilon(needed * (1 - 1e-14)), delta_of("1e-6"), delta_of("1e-6"));
  EXPECT_EQ(*too_little.ask(pure("0.01"), 1000), Verdict::Stop);
  EXPECT_EQ(*too_little.ask(pure("0.01"), 999), Verdict::Go);
}

TEST(WhitehouseFilter, KeepsTheSlackApartFromTheDeltasOfTheSteps) {
  Filter filter = *whitehouse_filter(epsilon("1"), delta_of("1e-6"), delta_of("6e-7"));
  const Step step = Step::of(approximate_loss(epsilon("0.01"), delta_of("2e-7")));
  EXPECT_EQ(*test::spend(filter, step, 2), Verdict::Go);
  EXPECT_EQ(*test::spend(filter, step), Verdict::Stop);
  EXPECT_EQ(*test::spend(filter, pure("0.01")), Verdict::Go);
}

TEST(WhitehouseFilter, AllowsMoreThanRogersAndNeverMoreThanTheOptimalRule) {
  for (const char* d : {"1e-3", "1e-6", "1e-9"}) {
    for (const char* e : {"0.001", "0.01", "0.1"}) {
      const Epsilon budget = epsilon("1");
      Filter whitehouse = *whitehouse_filter(budget, delta_of(d), delta_of(d));
      Filter rogers = *rogers_filter(budget, delta_of(d));
      std::uint64_t steps = 0, fewer = 0;
      for (std::uint64_t jump = std::uint64_t{1} << 30; jump > 0; jump /= 2) {
        if (*test::spend(whitehouse, pure(e), jump) == Verdict::Go) steps += jump;
        if (*test::spend(rogers, pure(e), jump) == Verdict::Go) fewer += jump;
      }
      EXPECT_GT(steps, fewer) << d << " " << e;
      ASSERT_GT(steps, 0U);
      const LossList spent = *LossList::of({*LossTerm::of(epsilon(e), delta_of("0"), steps)});
      EXPECT_LE(optimal_epsilon(spent, delta_of(d))->lower, 1) << d << " " << e;
      EXPECT_LE(optimal_delta(spent, budget)->upper, delta_of(d).value().approximate());
      EXPECT_GE(*advanced_epsilon(*LossList::of({*LossTerm::of(epsilon(e), delta_of("0"), steps + 1)}), delta_of(d)), 0.999);
    }
  }
}

TEST(ZcdpFilter, CountsRhoFromGaussianAndPureLosses) {
  Filter filter = zcdp_filter(*Rho::parse("0.3"));
  EXPECT_EQ(*test::spend(filter, gaussian("0.5")), Verdict::Go);  // 0.125
  EXPECT_EQ(*test::spend(filter, pure("0.5")), Verdict::Go);      // 0.125
  EXPECT_EQ(*test::spend(filter, rho_step(*Rho::parse("0.05"))), Verdict::Go);
  EXPECT_EQ(*test::spend(filter, rho_step(*Rho::parse("1e-20"))), Verdict::Stop);
  EXPECT_NEAR(filter.spent(), 0.3, 1e-15);
}

TEST(GdpFilter, AddsSquares) {
  Filter filter = gdp_filter(*Mu::parse("0.5"));
  EXPECT_EQ(*test::spend(filter, gaussian("0.3")), Verdict::Go);
  EXPECT_EQ(*test::spend(filter, gaussian("0.4")), Verdict::Go);
  EXPECT_EQ(*test::spend(filter, gaussian("1e-9")), Verdict::Stop);
  EXPECT_NEAR(filter.spent(), 0.5, 1e-15);
}

TEST(Filter, AskingSpendsNothingAndRefusalSpendsNothing) {
  Filter filter = *rogers_filter(epsilon("1"), delta_of("1e-6"));
  const Filter::Totals before = filter.totals();
  EXPECT_EQ(*filter.ask(pure("0.01")), Verdict::Go);
  EXPECT_EQ(*test::spend(filter, pure("0.9")), Verdict::Stop);
  EXPECT_FALSE(test::spend(filter, gaussian("0.1")));
  EXPECT_FALSE(test::spend(filter, pure("0.01"), 0));
  EXPECT_EQ(filter.totals(), before);
  EXPECT_EQ(*test::spend(filter, pure("0.01")), Verdict::Go);
  EXPECT_NE(filter.totals(), before);
}

TEST(Filter, SaysWhichLossesItCannotCount) {
  Filter gdp = gdp_filter(*Mu::parse("1"));
  const auto refused = test::spend(gdp, pure("0.1"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::Unsupported);
  EXPECT_EQ(refused.error().message(),
            "a filter by the rule gdp cannot count such a loss; Gaussian losses: zcdp or gdp; pure losses: any rule but gdp; losses with a "
            "delta: basic, rogers or whitehouse");
  Filter zcdp = zcdp_filter(*Rho::parse("1"));
  EXPECT_FALSE(zcdp.ask(Step::of(approximate_loss(epsilon("0.1"), delta_of("1e-9")))));
}

TEST(Filter, RefusesBudgetsOutsideItsTheorem) {
  EXPECT_EQ(check_filter(budget_of(epsilon("1"), delta_of("0")), FilterRule::Rogers, {}).error().message(),
            "delta is 0, but must be greater than 0 for this rule; with delta 0 only the rule basic holds");
  EXPECT_EQ(check_filter(budget_of(epsilon("1"), delta_of("0.4")), FilterRule::Rogers, {}).error().message(),
            "delta is 0.4, but must be less than 1/e for the rule rogers");
  EXPECT_EQ(check_filter(budget_of(epsilon("1"), delta_of("1e-6")), FilterRule::Whitehouse, *Decimal::parse("2e-6")).error().message(),
            "slack is 0.000002, but must be greater than 0 and at most delta, 0.000001");
  EXPECT_EQ(check_filter(budget_of(epsilon("1"), delta_of("1e-6")), FilterRule::Whitehouse, {}).error().message(),
            "slack is 0, but must be greater than 0 and at most delta, 0.000001");
}

// Independent of the implementation: the series of e^x in exact rationals.
TEST(Step, DriftIsTheLeastDecimalAboveItsTrueValueOrOneMore) {
  for (const char* text : {"1e-30", "0.000001", "0.01", "0.1", "1", "3.75", "20"}) {
    const Decimal value = *Decimal::parse(text);
    const mpq_class e = value.to_rational();
    mpq_class sum = 0;
    mpq_class term = 1;
    for (int i = 1; i <= 200; ++i) {  // what is left out is below 20^201/201! < 10^-100
      term *= e / i;
      sum += term;
    }
    const Filter filter = *rogers_filter(epsilon("1"), delta_of("0.3"))->forced(pure(text));
    const mpq_class counted = Decimal(filter.totals().drift, kUnitLog10).to_rational();
    const mpq_class excess = counted - e * sum / 2;
    EXPECT_TRUE(excess >= 0) << text;
    EXPECT_TRUE(excess <= Decimal::parse("2e-40")->to_rational()) << text;
  }
}

/// One of every rule, somewhere on its way.
std::vector<Filter> used_filters() {
  std::vector<Filter> filters = {*basic_filter(epsilon("1"), delta_of("1e-6")), *rogers_filter(epsilon("2"), delta_of("1e-6")),
                                 *whitehouse_filter(epsilon("1"), delta_of("1e-6"), delta_of("5e-7")), zcdp_filter(*Rho::parse("0.5")),
                                 gdp_filter(*Mu::parse("1"))};
  for (Filter& filter : filters)
    EXPECT_EQ(*test::spend(filter, filter.rule() == FilterRule::Gdp ? gaussian("0.01") : pure("0.0123"), 7), Verdict::Go);
  return filters;
}

TEST(Filter, SpentAndRemainingAreTheBudget) {
  Filter basic = *basic_filter(epsilon("1"), delta_of("1e-6"));
  ASSERT_EQ(*test::spend(basic, Step::of(approximate_loss(epsilon("0.3"), delta_of("4e-7")))), Verdict::Go);
  EXPECT_EQ(privacy::spent_amount(basic), (Amount{*Decimal::parse("0.3"), *Decimal::parse("4e-7")}));
  EXPECT_EQ(privacy::remaining(basic), (Amount{*Decimal::parse("0.7"), *Decimal::parse("6e-7")}));
  Filter whitehouse = *whitehouse_filter(epsilon("1"), delta_of("1e-6"), delta_of("6e-7"));
  EXPECT_EQ(privacy::spent_amount(whitehouse), Amount{});
  EXPECT_EQ(privacy::remaining(whitehouse), (Amount{*Decimal::parse("1"), *Decimal::parse("4e-7")}));
  ASSERT_EQ(*test::spend(whitehouse, pure("0.01"), 100), Verdict::Go);  // V = 0.01
  const double spent = std::sqrt(2 * std::log(1 / 6e-7) * 0.01) + 0.005;
  EXPECT_GE(privacy::spent_amount(whitehouse).first.approximate(), spent);
  EXPECT_LE(privacy::spent_amount(whitehouse).first.approximate(), spent + 1.1e-6);
  EXPECT_EQ(privacy::remaining(whitehouse).first + privacy::spent_amount(whitehouse).first, Decimal(1));
  EXPECT_EQ(rogers_filter(epsilon("1"), delta_of("1e-6"))->spent(), 0);
}

TEST(Filter, GoesOnFromTheTotalsOfAnother) {
  for (const Filter& filter : used_filters()) {
    EXPECT_TRUE(filter.kept());
    const Step step = filter.rule() == FilterRule::Gdp ? gaussian("0.02") : pure("0.02");
    const Filter fresh = filter.resumed({});
    EXPECT_EQ(fresh.spent(), 0);
    EXPECT_EQ(fresh.resumed(filter.totals()).spent(), filter.spent());
    EXPECT_EQ(*times_left(fresh.resumed(filter.totals()), step), *times_left(filter, step));
    Filter spending = filter;
    ASSERT_EQ(*test::spend(spending, step), Verdict::Go);
    EXPECT_EQ(filter.forced(step)->totals(), spending.totals());
    EXPECT_FALSE(filter.forced(filter.rule() == FilterRule::Gdp ? gaussian("50") : pure("50"))->kept());
  }
}

TEST(Filter, TotalOfNothingLetsNothingThrough) {
  const Amount nothing{{}, *Decimal::parse("1e-6")};
  for (const FilterRule rule : {FilterRule::Basic, FilterRule::Rogers, FilterRule::Whitehouse}) {
    const Decimal slack = rule == FilterRule::Whitehouse ? *Decimal::parse("1e-7") : Decimal();
    const Filter filter = *Filter::of({Currency::ApproximateDp, nothing}, rule, slack);
    EXPECT_EQ(*filter.ask(pure("1e-300")), Verdict::Stop) << name(rule);
    EXPECT_EQ(filter.spent(), 0) << name(rule);
    EXPECT_FALSE(largest_like(filter, pure_loss(epsilon("1")))) << name(rule);
  }
}

// The words and the decision are written apart.
TEST(Filter, IsRefusedWhereTheWordsSayWhy) {
  int refused = 0, made = 0;
  for (const Currency currency : {Currency::PureDp, Currency::ApproximateDp, Currency::Zcdp, Currency::Gdp}) {
    for (const FilterRule rule : {FilterRule::Basic, FilterRule::Rogers, FilterRule::Whitehouse, FilterRule::Zcdp, FilterRule::Gdp}) {
      for (const char* total : {"-1", "0", "1e-301", "1e-300", "1", "1e6", "1000001", "1e12", "1e13"}) {
        for (const char* delta : {"-1e-9", "0", "1e-301", "1e-6", "0.3678", "0.3679", "1"}) {
          for (const char* slack : {"-1e-9", "0", "1e-9", "1e-6", "0.5"}) {
            const Budget budget{currency, {*Decimal::parse(total), *Decimal::parse(delta)}};
            const bool ok = Filter::of(budget, rule, *Decimal::parse(slack)).ok();
            EXPECT_EQ(ok, check_filter(budget, rule, *Decimal::parse(slack)).ok())
                << name(currency) << " " << name(rule) << " " << total << " " << delta << " " << slack;
            ++(ok ? made : refused);
          }
        }
      }
    }
  }
  EXPECT_GT(made, 50);
  EXPECT_GT(refused, 1000);
}

TEST(Filter, RuleMustKeepPromisesInTheCurrencyOfTheBudget) {
  const Budget pure_budget = budget_of(epsilon("1"));
  EXPECT_EQ(
      check_filter(pure_budget, FilterRule::Whitehouse, *Decimal::parse("1e-7")).error().message(),
      "rule is whitehouse, but must be basic for a budget in epsilon; rogers and whitehouse need a budget with a delta: add delta = 1e-6");
  EXPECT_EQ(check_filter(budget_of(*Rho::parse("1")), FilterRule::Rogers, {}).error().message(),
            "rule is rogers, but must be zcdp for a budget in rho; other rules need a budget in epsilon and delta");
  EXPECT_EQ(check_filter(budget_of(*Mu::parse("1")), FilterRule::Zcdp, {}).error().message(),
            "rule is zcdp, but must be gdp for a budget in mu; other rules need a budget in epsilon and delta");
  EXPECT_EQ(
      check_filter(budget_of(epsilon("1"), delta_of("1e-6")), FilterRule::Gdp, {}).error().message(),
      "rule is gdp, but must be basic, rogers or whitehouse for a budget in epsilon-delta; for many small releases: rule = whitehouse");
  EXPECT_EQ(check_filter(pure_budget, FilterRule::Basic, *Decimal::parse("1e-7")).error().message(),
            "slack is 0.0000001, but goes with the rule whitehouse only; leave it out, or add rule = whitehouse");
  for (const Currency currency : {Currency::PureDp, Currency::ApproximateDp, Currency::Zcdp, Currency::Gdp}) {
    EXPECT_TRUE(Filter::of({currency, {Decimal(1), {}}}, usual_rule(currency), {}).ok());
    // Nor does a total from a ledger that anybody wrote end the program.
    EXPECT_FALSE(Filter::of({currency, {*Decimal::parse("1e400"), {}}}, usual_rule(currency), {}).ok());
  }
  EXPECT_EQ(*named<FilterRule>("rule", "whitehouse"), FilterRule::Whitehouse);
  EXPECT_FALSE(named<FilterRule>("rule", "Whitehouse"));
}

TEST(Charge, OfAPureLossIsCountedInEveryCurrency) {
  const Loss loss = pure_loss(epsilon("0.5"));
  EXPECT_EQ(charge_in(Currency::PureDp, loss)->first, *Decimal::parse("0.5"));
  EXPECT_EQ(charge_in(Currency::ApproximateDp, loss)->first, *Decimal::parse("0.5"));
  EXPECT_EQ(charge_in(Currency::Zcdp, loss)->first, *Decimal::parse("0.125"));
  const Decimal mu = *mu_of_pure_up(*Decimal::parse("0.5"));
  EXPECT_EQ(charge_in(Currency::Gdp, loss)->first, mu * mu);
  const Loss approximate = approximate_loss(epsilon("0.5"), delta_of("1e-6"));
  for (const Currency currency : {Currency::PureDp, Currency::Zcdp, Currency::Gdp})
    EXPECT_EQ(step_in(currency, approximate).error().code(), Code::Unsupported);
}

// The accumulated excess over exact rationals: none for decimals, 10^-40 per step at most for what
// is no decimal.
TEST(Filter, TenMillionStepsLoseNothing) {
  Filter filter = *rogers_filter(epsilon("1000000"), delta_of("1e-6"));
  const Step small = pure("0.0000123456789");
  const Step other = pure("0.000777");
  const int steps = static_cast<int>(10000000 / (test::coarseness() * test::coarseness()));
  for (int i = 0; i < steps; ++i) ASSERT_EQ(*test::spend(filter, (i & 1) != 0 ? small : other), Verdict::Go);
  const Decimal half(static_cast<long>(steps / 2));
  const Decimal a = *Decimal::parse("0.0000123456789");
  const Decimal b = *Decimal::parse("0.000777");
  const Decimal exact = half * (a * a + b * b);
  EXPECT_EQ(Decimal(filter.totals().first, kUnitLog10), exact);
}

TEST(Filter, StopsForGoodWhenTotalsLeaveTheirRange) {
  Filter filter = *rogers_filter(epsilon("1000000"), delta_of("1e-6"));
  EXPECT_EQ(*test::spend(filter, pure("100000")), Verdict::Stop);  // e^100000 is no number
  Filter basic = *basic_filter(epsilon("1000000"), delta_of("0.9"));
  EXPECT_EQ(*test::spend(basic, pure("1000000"), ~std::uint64_t{0}), Verdict::Stop);
  EXPECT_EQ(*test::spend(basic, pure("1000000")), Verdict::Go);
  EXPECT_EQ(*test::spend(basic, pure("1e-300")), Verdict::Stop);
}

// On random adaptive-looking sequences, every filter stops no later than the exact rule for the
// losses it let through would allow.
TEST(Filter, WhatItLetsThroughIsNeverMoreThanTheOptimalRuleAllows) {
  test::InsecureStream stream(test::suite_seed());
  const auto uniform = [&] { return static_cast<double>(stream.next() >> 11) * 0x1p-53; };
  for (int round = 0; round < 4; ++round) {
    for (const bool whitehouse : {false, true}) {
      Filter filter = whitehouse ? *whitehouse_filter(epsilon("1"), delta_of("1e-5"), delta_of("1e-5"))
                                 : *rogers_filter(epsilon("1"), delta_of("1e-5"));
      std::vector<LossTerm> through;
      for (int i = 0; i < 300; ++i) {
        const double e = std::exp(-2 - 4 * uniform());
        if (*test::spend(filter, pure(e)) == Verdict::Go) through.push_back(*LossTerm::of(e, 0, 1));
      }
      ASSERT_FALSE(through.empty());
      EXPECT_LE(optimal_epsilon(*LossList::of(through), delta_of("1e-5"))->upper, 1);
      EXPECT_LE(filter.spent(), 1);
    }
  }
}

}  // namespace
}  // namespace tacet::privacy
