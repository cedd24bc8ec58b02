#include "tacet/workflow/custody/ledger_summary.h"

#include <utility>

#include "tacet/workflow/custody/readable_ledger.h"

namespace tacet {

Result<LedgerSummary> ledger_summary(const std::string& ledger, const Context& context) {
  TACET_TRY(const ReadableLedger opened, ReadableLedger::open(ledger));
  TACET_TRY(const std::vector<std::string> datasets, opened.custody.datasets());
  LedgerSummary summary{ledger, opened.format, {}};
  for (const std::string& dataset : datasets) {
    TACET_TRY(const kernel::BudgetState state, opened.custody.show(dataset));
    summary.datasets.push_back(budget_summary(state, ledger, context.analyst, opened.format));
  }
  return summary;
}

}  // namespace tacet
