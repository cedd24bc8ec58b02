#include "tacet/workflow/plan/plan_budget.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/accounting/conversion.h"
#include "tacet/data/counts.h"
#include "tacet/data/moments.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/workflow/privacy/convert.h"
#include "tacet/workflow/release/moment_design.h"

namespace tacet {
namespace {

using kernel::Relation;
using privacy::Currency;

PrivacyAmount asked_amount(Currency currency, const Decimal& amount, double part = 1) {
  const Digits digits = part == 1 ? Digits(amount.to_string()) : Digits(amount.approximate() * part);
  if (currency == Currency::Zcdp) return Rho{digits};
  if (currency == Currency::Gdp) return Mu{digits};
  return Epsilon{digits};
}

/// What `infer estimate` says about a table that was released with this amount: its default
/// mechanism, and the noise by the calibrators of the release.
double margin_of_release(const PrivacyAmount& amount, Relation::Kind relation, std::size_t cells, double confidence) {
  privacy::Loss loss = *loss_of(amount);
  const auto mechanism = mechanisms::choose_mechanism(std::nullopt, loss);
  const kernel::Sensitivity sensitivity = data::count_sensitivity(relation);
  if (mechanism == mechanisms::CountMechanism::Laplace) loss = *mechanisms::laplace_loss(sensitivity, *budget_of(amount), Currency::PureDp);
  const kernel::NoisePlan plan = *mechanisms::plan_counts(mechanism, sensitivity, loss);
  mechanisms::CountRelease release{};
  release.shape = {cells};
  release.values.assign(cells, 1000);
  release.grid = std::ldexp(1.0, -plan.grid_log2);
  release.noise = {plan.family, plan.scale};
  return inference::estimate(release, {.confidence = confidence})->margin;
}

TEST(PlanBudget, GivesTheLeastBudgetForCounts) {
  for (const Relation::Kind relation : {Relation::ReplaceOne, Relation::AddOrRemoveOne}) {
    for (const std::uint64_t cells : {std::uint64_t{1}, std::uint64_t{12}, std::uint64_t{1000}}) {
      for (const double within : {0.3, 20.0, 1500.0}) {
        for (const double confidence : {0.8, 0.95, 0.999}) {
          const auto plan = plan_budget({.wish = CountWish{within, cells}, .confidence = confidence, .relation = relation});
          ASSERT_TRUE(plan.ok()) << plan.error().message();
          for (const PlannedBudget& budget : {plan->rho, plan->mu, plan->epsilon}) {
            const double margin = margin_of_release(asked_amount(budget.currency, budget.total), relation, cells, confidence);
            EXPECT_LE(margin, within) << name(budget.currency) << " " << budget.total.to_string();
            EXPECT_NEAR(margin, *budget.margin, 1e-9 * within);
            EXPECT_GT(margin_of_release(asked_amount(budget.currency, budget.total, 0.99), relation, cells, confidence), within)
                << "one percent less than " << name(budget.currency) << " " << budget.total.to_string();
          }
        }
      }
    }
  }
}

TEST(PlanBudget, AgreesWithTheFormulasForCounts) {
  const auto plan = plan_budget({.wish = CountWish{20, 12}});
  // Each of 12 cells at level 1 - 0.95^(1/12); noise of sd 1/sqrt(rho), or of scale 2/epsilon.
  const double each = 1 - std::pow(0.95, 1.0 / 12);
  const double z = 2.85784;  // the normal quantile of 1 - each/2, checked here:
  EXPECT_NEAR(std::erfc(z / std::sqrt(2.0)), each, 2e-6);
  EXPECT_NEAR(plan->rho.total.approximate() / (z * z / 400), 1, 2e-3);
  EXPECT_NEAR(plan->mu.total.approximate() / (z * std::sqrt(2.0) / 20), 1, 2e-3);
  EXPECT_NEAR(plan->epsilon.total.approximate() / (2 * -std::log(each) / 20), 1, 2e-3);
  // Without a person's row the sensitivity is that of one cell.
  const auto alone = plan_budget({.wish = CountWish{20, 12}, .relation = Relation::AddOrRemoveOne});
  EXPECT_NEAR(alone->rho.total.approximate() / plan->rho.total.approximate(), 0.5, 1e-3);
  EXPECT_NEAR(alone->epsilon.total.approximate() / plan->epsilon.total.approximate(), 0.5, 1e-3);
}

// A person with 3 rows changes 3 cells by 1 each, or one cell by 3; in 2 groups, two cells by 3.
TEST(PlanBudget, KnowsHowOftenAPersonCounts) {
  const auto one = plan_budget({.wish = CountWish{20, 12}});
  struct Case {
    PlannedContributions contributions;
    double rho, epsilon;  // as multiples
  };
  for (const Case& wanted : {Case{{.rows = 1}, 1, 1}, Case{{.rows = 3}, 3, 3}, Case{{.rows = 3, .count = CountUnit::Rows}, 9, 3},
                             Case{{.rows = 3, .groups = 2}, 2, 2}, Case{{.rows = 3, .groups = 2, .count = CountUnit::Rows}, 18, 6}}) {
    const auto plan = plan_budget({.wish = CountWish{20, 12}, .contributions = wanted.contributions});
    ASSERT_TRUE(plan.ok()) << plan.error().message();
    EXPECT_NEAR(plan->rho.total.approximate() / one->rho.total.approximate(), wanted.rho, 0.01 * wanted.rho);
    EXPECT_NEAR(plan->mu.total.approximate() / one->mu.total.approximate(), std::sqrt(wanted.rho), 0.01 * wanted.rho);
    EXPECT_NEAR(plan->epsilon.total.approximate() / one->epsilon.total.approximate(), wanted.epsilon, 0.01 * wanted.epsilon);
    // A promise buys as much more noise.
    const auto promise = plan_budget({.wish = PromiseWish{1, 1e-6}, .contributions = wanted.contributions});
    const auto usual = plan_budget({.wish = PromiseWish{1, 1e-6}});
    EXPECT_NEAR(promise->rho.noise_sd / usual->rho.noise_sd, std::sqrt(wanted.rho), 0.01);
    EXPECT_EQ(promise->rho.total, usual->rho.total);
  }
  // Of rows: sums and, as the number of rows is private, counts of them, each three times as far.
  const MeanWish mean{0.5, 0, 120, 5000, 60.0};
  for (const Relation::Kind relation : {Relation::ReplaceOne, Relation::AddOrRemoveOne}) {
    const auto rows = plan_budget({.wish = mean, .relation = relation, .contributions = PlannedContributions{.rows = 3}});
    ASSERT_TRUE(rows.ok()) << rows.error().message();
    const auto people = plan_budget({.wish = mean, .relation = relation});
    const double times = rows->mu.total.approximate() / people->mu.total.approximate();
    EXPECT_GE(times, 2.99);
    EXPECT_TRUE(relation == Relation::ReplaceOne || times < 3.01) << times;
    // The least: with one percent less the margin is wider than the wish.
    EXPECT_LE(*rows->rho.margin, 0.5);
    EXPECT_GT(*rows->rho.margin, 0.5 * 0.995);
  }
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1001}}) {
    EXPECT_EQ(plan_budget({.wish = CountWish{20}, .contributions = PlannedContributions{.rows = limit}}).error().name(), "rows");
    EXPECT_EQ(plan_budget({.wish = CountWish{20}, .contributions = PlannedContributions{.groups = limit}}).error().name(), "groups");
  }
}

TEST(PlanBudget, CanBeTypedBack) {
  for (const double within : {0.37, 20.0, 512.0}) {
    const auto plan = plan_budget({.wish = CountWish{within, 7}, .releases = 3});
    for (const PlannedBudget& budget : {plan->rho, plan->mu, plan->epsilon}) {
      EXPECT_LE(budget.each.to_string().size(), 12U) << budget.each.to_string();
      EXPECT_LE(budget.total.to_string().size(), 12U) << budget.total.to_string();
      EXPECT_EQ(*Decimal::parse(budget.total.to_string()), budget.total);
      EXPECT_EQ(*Decimal::from_shortest(budget.total.approximate()), budget.total);
    }
  }
}

TEST(PlanBudget, PaysForEveryRelease) {
  const auto one = plan_budget({.wish = CountWish{20, 12}});
  const auto five = plan_budget({.wish = CountWish{20, 12}, .releases = 5});
  const Decimal times(5);
  EXPECT_EQ(five->rho.each, one->rho.total);
  EXPECT_EQ(five->rho.total, one->rho.total * times);
  EXPECT_EQ(five->epsilon.total, one->epsilon.total * times);
  EXPECT_EQ(five->mu.each, one->mu.total);
  EXPECT_GE(five->mu.total * five->mu.total, one->mu.total * one->mu.total * times);
  EXPECT_NEAR(five->mu.total.approximate() / (one->mu.total.approximate() * std::sqrt(5.0)), 1, 1e-3);
  // Four releases in mu have an exact root.
  EXPECT_EQ(plan_budget({.wish = CountWish{20, 12}, .releases = 4})->mu.total, one->mu.total * Decimal(2));
}

/// By the formulas of docs/how-to/choose-a-budget.md.
TEST(PlanBudget, GivesTheLeastBudgetForAMean) {
  const auto plan = plan_budget({.wish = MeanWish{0.5, 0, 120, 5000}});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  constexpr double kZ = 1.959963984540054;
  // sd = (U - L)/(n sqrt(2 rho)) and the Laplace scale (U - L)/(n epsilon).
  EXPECT_NEAR(plan->rho.total.approximate() / (std::pow(120 * kZ / (5000 * 0.5), 2) / 2), 1, 2e-3);
  EXPECT_NEAR(plan->mu.total.approximate() / (120 * kZ / (5000 * 0.5)), 1, 2e-3);
  EXPECT_NEAR(plan->epsilon.total.approximate() / (120 * -std::log(0.05) / (5000 * 0.5)), 1, 2e-3);
  for (const PlannedBudget& budget : {plan->rho, plan->mu, plan->epsilon}) {
    EXPECT_LE(*budget.margin, 0.5);
    EXPECT_GT(*budget.margin, 0.5 * 0.995);
  }
  EXPECT_NEAR(plan->mu.noise_sd * kZ, *plan->mu.margin, 1e-6);
}

/// How often the mean of n people, all at the upper bound of [0, 100], is released with an error
/// above `within` under add-or-remove-one; draws of the noise with a fixed seed.
double frequency_of_misses(const PlannedBudget& budget, double n, double within) {
  data::Schema schema;
  schema.relation = Relation::AddOrRemoveOne;
  data::Bounds bounds;
  bounds.lower = Decimal(0);
  bounds.upper = Decimal(100);
  bounds.resolution = *Decimal::parse("0.1");
  bounds.missing = Decimal(50);
  schema.columns.push_back({"x", std::nullopt, bounds, {}});
  const auto mechanism = budget.currency == Currency::PureDp ? MomentMechanism::Laplace : MomentMechanism::Gaussian;
  const auto design = *data::design_moments(schema, {.columns = {"x"}, .products = false, .counts = true});
  const auto weights = *noise_weights(design, mechanism, MomentGoal::Region);
  const auto loss = *charged_loss(asked_amount(budget.currency, budget.total), mechanism, design.sensitivity, weights, budget.currency);
  const std::vector<double> scales = planned_scales(*plan_moments(mechanism, design.sensitivity, weights, loss));
  const auto noise = group_moments(design.columns, design.layout, 0, std::vector<double>(scales.size()), scales);
  constexpr std::size_t kDraws = 40'000;
  std::vector<double> of_sum(kDraws), of_people(kDraws);
  numeric::InsecureStream stream(17, 0);
  for (std::vector<double>* draws : {&of_sum, &of_people}) {
    if (mechanism == MomentMechanism::Laplace) {
      stream.fill_laplace(*draws);
    } else {
      stream.fill_normal(*draws);
    }
  }
  double misses = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double people = n + noise.people.scale * of_people[i];
    const double mean = (50 * n + noise.sums[0].scale * of_sum[i]) / people;  // about the middle
    misses += std::abs(mean - 50) > within ? 1 : 0;
  }
  return misses / kDraws;
}

TEST(PlanBudget, HoldsForMeansOfAPrivateNumberOfPeople) {
  const MeanWish wish{2, 0, 100, 400, std::nullopt};
  const auto plan = plan_budget({.wish = wish, .relation = Relation::AddOrRemoveOne});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  // The mean may be anywhere, so more is needed than where it is known, and most at a bound.
  const auto known = [&](double expected) {
    MeanWish other = wish;
    other.expected = expected;
    return plan_budget({.wish = other, .relation = Relation::AddOrRemoveOne})->rho.total;
  };
  EXPECT_EQ(known(100), plan->rho.total);
  EXPECT_EQ(known(0), plan->rho.total);
  EXPECT_LT(known(50), known(80));
  EXPECT_LT(known(80), plan->rho.total);
  for (const PlannedBudget& budget : {plan->rho, plan->epsilon}) {
    EXPECT_LE(*budget.margin, 2);
    EXPECT_GT(*budget.margin, 1.98);
    // 40,000 draws have a standard error of 0.0011; the added bounds are a little above the truth.
    const double misses = frequency_of_misses(budget, 400, 2);
    EXPECT_LT(misses, 0.05 + 0.0045) << name(budget.currency);
    EXPECT_GT(misses, 0.04) << name(budget.currency);
  }
}

TEST(PlanBudget, GivesTheLargestBudgetsThatKeepAPromise) {
  for (const auto& [epsilon, delta] : std::vector<std::pair<double, double>>{{1, 1e-6}, {0.1, 1e-9}, {17.14, 1e-10}, {5, 0.01}}) {
    const auto plan = plan_budget({.wish = PromiseWish{epsilon, delta}});
    ASSERT_TRUE(plan.ok()) << plan.error().message();
    const auto epsilon_of = [&](const GaussianAmount& amount) { return epsilon_at_delta(amount, delta)->best.epsilon; };
    const double rho = plan->rho.total.approximate();
    const double mu = plan->mu.total.approximate();
    EXPECT_LE(epsilon_of(Rho(rho)), epsilon);
    EXPECT_GT(epsilon_of(Rho(rho * 1.002)), epsilon);
    EXPECT_LE(epsilon_of(Mu(mu)), epsilon);
    EXPECT_GT(epsilon_of(Mu(mu * 1.002)), epsilon);
    EXPECT_EQ(plan->epsilon.total.approximate(), epsilon);
    EXPECT_FALSE(plan->rho.margin.has_value());
    // If all noise is Gaussian, more rho keeps the same promise.
    EXPECT_GT(plan->rho_if_gaussian->approximate(), rho);
    EXPECT_NEAR(plan->rho_if_gaussian->approximate() / (mu * mu / 2), 1, 1e-3);
  }
}

TEST(PlanBudget, SharesAPromise) {
  const auto plan = plan_budget({.wish = PromiseWish{1, 1e-6}, .releases = 3});
  const Decimal three(3);
  EXPECT_LE(plan->rho.each * three, plan->rho.total);
  EXPECT_GT(plan->rho.each.approximate() * 3, plan->rho.total.approximate() * 0.999);
  EXPECT_LE(plan->mu.each * plan->mu.each * three, plan->mu.total * plan->mu.total);
  EXPECT_GT(plan->mu.each.approximate() * std::sqrt(3.0), plan->mu.total.approximate() * 0.999);
  EXPECT_LE(plan->epsilon.each * three, plan->epsilon.total);
  EXPECT_NEAR(plan->mu.noise_sd, std::sqrt(2.0) / plan->mu.each.approximate(), 1e-9);
}

TEST(PlanBudget, SaysWhatItMeansForOnePerson) {
  const auto plan = plan_budget({.wish = CountWish{20, 12}, .delta = "1e-9"});
  const double mu = plan->mu.total.approximate();
  EXPECT_NEAR(plan->mu.guessed_right, 0.5 * std::erfc(-mu / 2 / std::sqrt(2.0)), 1e-9);
  const double epsilon = plan->epsilon.total.approximate();
  EXPECT_NEAR(plan->epsilon.guessed_right, std::exp(epsilon) / (1 + std::exp(epsilon)), 1e-12);
  // A rho allows noise that tells more than Gaussian noise.
  EXPECT_GE(plan->rho.guessed_right, 0.5 * std::erfc(-std::sqrt(2 * plan->rho.total.approximate()) / 2 / std::sqrt(2.0)));
  EXPECT_DOUBLE_EQ(plan->rho.delta, 1e-9);
  EXPECT_EQ(plan->rho.epsilon, epsilon_at_delta(Rho(plan->rho.total.to_string()), "1e-9")->best.epsilon);
  EXPECT_EQ(plan->epsilon.delta, 0);
}

TEST(PlanBudget, RefusesWishesThatMakeNoSense) {
  const auto refused = [](const BudgetPlanRequest& request) { return plan_budget(request).error().message(); };
  EXPECT_EQ(refused({.wish = CountWish{0}}),
            "count-within is 0, but must be a finite number greater than 0; for example: count-within = 20");
  EXPECT_EQ(refused({.wish = CountWish{20, 0}}), "cells is 0, but must be a whole number from 1 to 10^7; for example: cells = 12");
  EXPECT_EQ(refused({.wish = CountWish{20}, .releases = 0}),
            "releases is 0, but must be a whole number from 1 to 10^6; for example: releases = 4");
  EXPECT_EQ(refused({.wish = MeanWish{0.5, 10, 10, 100}}),
            "bounds is 10,10, but must be a lower bound and a greater upper bound; for example: bounds = 0,120");
  EXPECT_EQ(
      refused({.wish = MeanWish{10, 0, 10, 100}}),
      "mean-within is 10, but must be less than the distance of the bounds, within which every mean is; for example a hundredth of it");
  EXPECT_EQ(refused({.wish = MeanWish{1, 0, 10, 0}}), "n is 0, but must be at least 1: nobody has no mean");
  EXPECT_EQ(refused({.wish = MeanWish{1, 0, 10, 50, 11}}),
            "expected is 11, but must lie between the bounds; leave it out if nothing is known");
  EXPECT_EQ(
      refused({.wish = PromiseWish{1, 0}}),
      "delta is 0, but must be greater than 0: no rho and no mu keep a pure epsilon; `budget create` takes the epsilon itself, or give "
      "delta = 1e-6");
  EXPECT_EQ(plan_budget({.wish = CountWish{1e-9, 1}}).error().code(), Code::Unsupported);
  EXPECT_EQ(plan_budget({.wish = CountWish{20}, .confidence = 1}).error().name(), "confidence");
}

}  // namespace
}  // namespace tacet
