// tacet/old_ledger/chain.h: the hashes that connect the rows of an old ledger, and their checks.
//
//   sqlite::Database database = *sqlite::Database::open("people.ledger");
//   const LedgerRows ledger = *read_rows(database, Format::FilterRules);
//   TACET_CHECK(check_roll(ledger));                              // no budget is missing
//   OldDataset first = *check_budget(Format::FilterRules, ledger.roll.name, ledger.budgets[0]);
//
// Each dataset has a chain: its origin (ledger, dataset, terms, shares), then one hash per entry
// over all fields of the entry and the hash before it. BLAKE2b with 32 bytes, in hex. The length
// of every field precedes it, so different rows have different hash inputs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/old_ledger/old_ledger.h"
#include "tacet/old_ledger/rows.h"

namespace tacet::old_ledger {

std::string statement_hash(std::string_view statement);
/// Uses the fields that are fixed when a budget is made: those above origin_hash in BudgetRow.
std::string origin_hash(Format format, std::string_view ledger, const BudgetRow& budget, const std::vector<ShareRow>& shares);
/// Uses all fields except entry_hash itself.
std::string entry_hash(Format format, const EntryRow& entry);
/// The hash of the roll after one more budget; before the first it is the name of the ledger.
std::string roll_hash(std::string_view before, std::string_view origin);

/// Checks that the budgets are those that the roll counts.
Status check_roll(const LedgerRows& ledger);
/// Checks a budget and all its entries, and derives every sum again from the charged losses.
Result<OldDataset> check_budget(Format format, const std::string& ledger, const BudgetRows& rows);

}  // namespace tacet::old_ledger
