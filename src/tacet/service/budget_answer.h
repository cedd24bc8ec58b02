// tacet/service/budget_answer.h: a budget as JSON and in words.
//
//   AnswerTable<BudgetSummary> table = budget_table();
//   std::string shown = budget_words(*Dataset::open("patients.ledger")->budget());
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/service/answer_table.h"
#include "tacet/workflow/budget_summary.h"

namespace tacet::service {

/// {"rho": "0.5"}, {"epsilon": "1", "delta": "1e-6"}, {"mu_squared": "0.25", "mu": 0.5}: exact
/// decimals as strings.
template <>
struct Codec<BudgetAmount> {
  static Json write(const BudgetAmount& value);
  static Json schema();
};

/// The terms, the spent and the remaining amounts, in total and for the asking analyst, and the
/// largest release.
AnswerTable<BudgetSummary> budget_table();

std::string budget_words(const BudgetSummary& budget);
/// The limit of the asking analyst if it is less than the remaining budget: "rho 0.4 for ada";
/// otherwise empty.
std::string asker_words(const BudgetSummary& budget);
/// Every dataset of a ledger as a table.
std::string budget_list_words(const std::vector<BudgetSummary>& budgets);

}  // namespace tacet::service
