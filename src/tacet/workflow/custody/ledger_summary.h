// tacet/workflow/custody/ledger_summary.h: every budget of a ledger.
//
//   const LedgerSummary ledger = *ledger_summary("patients.ledger");
//   for (const BudgetSummary& one : ledger.datasets) show(one.dataset, words(one.remaining));
//
// Error    NotFound without a ledger; LedgerCorrupt if it contradicts itself.
// Cost     reads and checks the ledger once for each dataset.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/budget_summary.h"
#include "tacet/workflow/context.h"

namespace tacet {

/// The budgets of all datasets of a ledger.
struct LedgerSummary {
  std::string ledger;                   // its path
  int format;                           // those below 3 are read but not charged
  std::vector<BudgetSummary> datasets;  // in the order in which they got their budgets
};

/// The budgets of a ledger. It costs nothing.
Result<LedgerSummary> ledger_summary(const std::string& ledger, const Context& context = {});

}  // namespace tacet
