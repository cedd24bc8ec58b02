// tacet/workflow/plan/plan_budget.h: from a wish to a budget: how much rho, mu or epsilon it
// needs.
//
//   BudgetPlan table = *plan_budget({.wish = CountWish{.within = 20, .cells = 12}});
//   table.rho.total.to_string();     // "0.02042": every count within 20, in 95 of 100 tables
//   table.epsilon.total;             // the same with Laplace noise
//   BudgetPlan mean = *plan_budget(
//       {.wish = MeanWish{.within = 0.5, .lower = 0, .upper = 120, .n = 5000}});
//   BudgetPlan all = *plan_budget({.wish = PromiseWish{1, 1e-6}, .releases = 4});
//   all.mu.each;                     // the share of each of the four releases
//   BudgetPlan visits = *plan_budget({.wish = CountWish{.within = 20, .cells = 12},
//                                     .contributions = PlannedContributions{.rows = 3}});
//
// A wish of accuracy gives the least budgets that suffice, with four digits; a promise of
// (epsilon, delta) gives the largest that keep it. A plan in rho or mu has Gaussian noise, one in
// epsilon Laplace noise. `within` is about noise only: for a mean of people who are a sample,
// their sampling error comes on top.
// Method   The noise is that of the release itself (mechanisms/noise_plan.h,
//          workflow/release/moment_design.h), and `within` is compared with the interval that
//          `infer estimate` gives (inference/estimates/estimate.h). A search over decimals with
//          four digits finds the least amount.
//          Means under add-or-remove-one: with noise e in the sum and f in the number of people,
//          the error exceeds w only if e - (m + w) f > w n, or -e + (m - w) f > w n, or f <= -n,
//          where m is how far the mean is from the middle of the bounds. The three
//          probabilities are added.
//          Where a person may have several rows, their number is private too: both noises.
// Domain   within > 0; 1 to 10^7 cells; 1 to 10^6 releases; 1 to 2^53 people; rows and groups of a
//          person 1 to 1000; confidence 0.5 to 1 - 1e-9; epsilon and delta as
//          accounting/conversion.h, delta > 0.
// Error    amounts are exact decimals, at most one part in a thousand from the least or the
//          largest; totals of several releases in mu likewise. guessed_right is rounded up.
// Cost     milliseconds.
// Checked  tests/workflow/plan_budget_test.cc: the noise of the release with each amount, and with
//          1 % less.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/data/counts.h"
#include "tacet/kernel/relation.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/privacy/currency.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using data::CountUnit;

/// Every count of a table is within so many people of the truth, all of them at once.
struct CountWish {
  double within;
  std::uint64_t cells = 1;
};
/// The mean of a column with these bounds is within so much of the mean of the n people.
struct MeanWish {
  double within;
  Digits lower, upper;
  std::uint64_t n;  // of rows that count, where a person may have several
  /// Under add-or-remove-one, or with several rows of a person, noise grows with the distance of
  /// the mean from the middle of the bounds; empty: the mean may be anywhere between them.
  std::optional<double> expected = {};
};
/// All releases together are (epsilon, delta)-differentially private.
struct PromiseWish {
  Digits epsilon, delta;
};

/// What the terms will say of a person with several rows: at most so many count, in all or in each
/// of at most so many groups.
struct PlannedContributions {
  std::uint64_t rows = 1;
  std::optional<std::uint64_t> groups = {};
  CountUnit count = CountUnit::People;  // of a table: a person counts once in a cell, or each row
};

/// What is wished for, and for how many releases.
struct BudgetPlanRequest {
  std::variant<CountWish, MeanWish, PromiseWish> wish;
  double confidence = 0.95;  // of a wish for accuracy, in each release
  kernel::Relation::Kind relation = kernel::Relation::ReplaceOne;
  std::uint64_t releases = 1;
  Digits delta = "1e-6";                                   // at which an epsilon is told for rho and mu
  std::optional<PlannedContributions> contributions = {};  // empty: every row is another person
};

/// A budget in one currency, and what it means.
struct PlannedBudget {
  privacy::Currency currency;
  mechanisms::CountMechanism mechanism;  // Gaussian or Laplace
  Decimal total;                         // of all releases
  Decimal each;                          // of one release
  double noise_sd;                       // in each release: of a count, or of the mean
  std::optional<double> margin;          // of a wish for accuracy: what is reached; at most `within`
  double epsilon, delta;                 // what the total promises; delta 0 for a pure epsilon
  /// Somebody knows all people but one, and holds two records of that person for equally likely.
  /// After all releases the better guess is right with at most this probability.
  double guessed_right;
};

/// The budgets that fulfil the wish, one in each currency.
struct BudgetPlan {
  PlannedBudget rho, mu, epsilon;
  /// Of a promise: the rho if all noise is Gaussian. The budget in rho allows any noise.
  std::optional<Decimal> rho_if_gaussian;
};

/// Reads no data and costs nothing.
Result<BudgetPlan> plan_budget(const BudgetPlanRequest& request);

}  // namespace tacet
