#include "tacet/workflow/custody/budget_history.h"

#include <utility>

#include "tacet/kernel/custody/words.h"
#include "tacet/workflow/custody/readable_ledger.h"

namespace tacet {
namespace {

Result<HistoryEntry> described(const kernel::Entry& entry, privacy::Currency currency) {
  std::optional<std::string> charged;
  if (entry.loss) {
    TACET_TRY(charged, kernel::charge_words(currency, *entry.loss));
  }
  return HistoryEntry{.number = static_cast<std::uint64_t>(entry.number),
                      .kind = entry.kind,
                      .time = entry.time,
                      .analyst = entry.analyst,
                      .statement = entry.statement,
                      .charged = {currency, entry.charged},
                      .spent_after = {currency, entry.spent_after},
                      .charged_words = std::move(charged),
                      .statement_hash = entry.statement_hash,
                      .entry_hash = entry.entry_hash,
                      .release_hash = entry.release_hash.empty() ? std::nullopt : std::optional(entry.release_hash),
                      .clock_went_back = entry.clock_went_back};
}

}  // namespace

Result<BudgetHistory> budget_history(const Dataset& dataset) {
  const KnownPlace& place = dataset.place();
  TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.custody.show(place.dataset));
  TACET_TRY(const std::vector<kernel::Entry> entries, ledger.custody.history(place.dataset));
  BudgetHistory history{.dataset = place.dataset,
                        .ledger = place.ledger,
                        .currency = state.terms.budget.currency,
                        .rule = state.terms.rule,
                        .sealed = state.sealed && ledger.format == kLedgerFormat,
                        .format = ledger.format,
                        .entries = {}};
  for (const kernel::Entry& entry : entries) {
    TACET_TRY(HistoryEntry shown, described(entry, history.currency));
    history.entries.push_back(std::move(shown));
  }
  return history;
}

}  // namespace tacet
