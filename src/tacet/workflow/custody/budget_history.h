// tacet/workflow/custody/budget_history.h: every charge, failed scan and amendment, oldest first.
//
//   const BudgetHistory history = *budget_history(*Dataset::open("patients.ledger"));
//   for (const HistoryEntry& entry : history.entries) show(entry.analyst, words(entry.charged));
//
// Reading verifies: the chain of hashes is checked over the whole ledger, and every entry is
// checked with the custodian's key if it is available.
//
// Error    NotFound without a ledger or a budget; LedgerCorrupt if an entry was altered, forged or
//          cut off.
// Cost     linear in the entries of the ledger.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/custody/entry.h"
#include "tacet/workflow/budget_summary.h"
#include "tacet/workflow/dataset.h"

namespace tacet {

using kernel::EntryKind;

/// One entry of the ledger.
struct HistoryEntry {
  std::uint64_t number;  // from 1
  EntryKind kind;
  std::string time;       // RFC 3339, UTC
  std::string analyst;    // who asked; the custodian of an amendment
  std::string statement;  // the request as JSON; the reason of an amendment
  BudgetAmount charged, spent_after;
  std::optional<std::string> charged_words;  // with the loss itself; nothing if it was free
  std::string statement_hash, entry_hash;    // hex
  std::optional<std::string> release_hash;   // of the file that was written for a charge
  bool clock_went_back;                      // since the entry before it
};

/// All entries about a dataset, the first one first.
struct BudgetHistory {
  std::string dataset;
  std::string ledger;  // its path
  privacy::Currency currency;
  privacy::FilterRule rule;
  bool sealed;  // every entry was checked with the custodian's key
  int format;   // of the ledger
  std::vector<HistoryEntry> entries;
};

/// The history of a dataset. It costs nothing.
Result<BudgetHistory> budget_history(const Dataset& dataset);

}  // namespace tacet
