// tacet/service/budget_answer.h: a budget as JSON and in words.
//
//   AnswerTable<BudgetSummary> table = budget_table();
//   std::string shown = budget_words(summary);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/service/answer_table.h"
#include "tacet/workflow/budget_summary.h"

namespace tacet::service {

/// {"rho": "0.5"}, {"epsilon": "1", "delta": "1e-6"}, {"mu_squared": "0.25", "mu": 0.5}: exact
/// decimals as texts.
template <>
struct Codec<BudgetAmount> {
  static Json write(const BudgetAmount& value);
  static Json schema();
};

/// Terms, what was spent and what remains, in all and for the one who asks, and what still fits.
AnswerTable<BudgetSummary> budget_table();

std::string budget_words(const BudgetSummary& budget);
/// Of the one who asks, where it is less than all that remains: "rho 0.4 for ada"; empty where
/// everybody may spend all.
std::string asker_words(const BudgetSummary& budget);
/// Every dataset of a ledger as a table.
std::string budget_list_words(const std::vector<BudgetSummary>& budgets);

}  // namespace tacet::service
