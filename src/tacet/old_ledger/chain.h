// tacet/old_ledger/chain.h: the hashes that tie an old ledger's rows together, and the checks that they do.
//
// Each dataset has a chain: its origin (ledger, dataset, terms, shares), then one hash per entry over all of the entry's fields and the
// hash before it. BLAKE2b with 32 bytes, in hex; every field is preceded by its length, so no two different rows are hashed alike.
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
/// Uses what is fixed when a budget is made: everything above origin_hash in BudgetRow.
std::string origin_hash(Format format, std::string_view ledger, const BudgetRow& budget, const std::vector<ShareRow>& shares);
/// Uses everything but entry_hash itself.
std::string entry_hash(Format format, const EntryRow& entry);
/// The roll's hash after one more budget; the first follows on the ledger's name.
std::string roll_hash(std::string_view before, std::string_view origin);

/// Checks that the budgets are those that the roll counts.
Status check_roll(const LedgerRows& ledger);
/// Checks a budget and all its entries, derives every sum again from the losses that were charged, and says what they mean.
Result<OldDataset> check_budget(Format format, const std::string& ledger, const BudgetRows& rows);

}  // namespace tacet::old_ledger
