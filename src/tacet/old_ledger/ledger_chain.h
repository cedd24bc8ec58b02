// tacet/kernel/ledger_chain.h: the hashes that tie a ledger's rows together, and the checks that they do.
//
// Each dataset has a chain: its origin (ledger, dataset, neighbour relation, currency, rule, total, slack, shares), then one hash per
// entry over all of the entry's fields and the hash before it. BLAKE2b with 32 bytes, in hex; every field is preceded by its length, so no two
// different rows are hashed alike. The hash of a statement is over its bytes alone: `b2sum -l 256` gives the same.
//
// The hashes have no key. They find damage and careless edits, not a forger who recomputes them, nor an older copy of the
// whole file put back in its place: compare with the receipts in the releases for that (docs/threats.md).
// Cost     check_standing and check_analyst: independent of the number of entries. check_history: linear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger_store.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

std::string statement_hash(std::string_view statement);
/// Uses what is fixed when a budget is made: everything above origin_hash in BudgetRow.
std::string origin_hash(std::string_view ledger, const BudgetRow& budget, const std::vector<ShareRow>& shares);
/// Uses everything but entry_hash itself.
std::string entry_hash(const EntryRow& entry);
/// The roll's hash after one more budget; the first follows on the ledger's name.
std::string roll_hash(std::string_view before, std::string_view origin);

AmountText to_text(const privacy::Amount& amount);
TotalsText to_text(const privacy::Filter::Totals& totals);
/// LedgerCorrupt if the text is not what to_text writes for an amount that is not negative.
Result<privacy::Amount> to_amount(const AmountText& text);
Result<privacy::Filter::Totals> to_totals(const TotalsText& text);

/// What an entry says of the loss that was charged: its kind, and its own parameters.
void write_loss(const privacy::Loss& loss, EntryRow& entry);
Result<privacy::Loss> read_loss(const EntryRow& entry);

Error contradiction(std::string_view dataset, std::string_view what);

/// A budget whose rows agree with each other.
struct Standing {
  privacy::Budget budget;
  Relation relation;
  Decimal slack;
  privacy::Filter filter;  // by the budget's rule, with all that was charged
};
/// Checks the origin, and the budget's standing against its last entry.
Result<Standing> check_standing(std::string_view ledger, const BudgetRow& budget, const std::vector<ShareRow>& shares,
                                const std::optional<EntryRow>& last);
/// Checks the analyst's standing against the analyst's last entry; returns what the analyst has spent.
Result<privacy::Filter::Totals> check_analyst(const BudgetRow& budget, const std::optional<AnalystRow>& standing,
                                              const std::optional<EntryRow>& last);
/// Checks every entry, and derives every sum again from the losses that were charged.
Status check_history(const BudgetRow& budget, const Standing& standing, const std::vector<AnalystRow>& analysts,
                     const std::vector<EntryRow>& entries);
/// Checks that the budgets are those that the roll counts, and that each has an origin that was not changed by itself.
Status check_roll(const RollRow& roll, const std::vector<BudgetRow>& budgets);

}  // namespace tacet::kernel
