// tacet/old_ledger/rows.h: the rows of an old ledger as they are in the file, unchecked.
//
//   sqlite::Database database = *sqlite::Database::open("people.ledger");
//   const Format format = *format_of(database, "people.ledger");
//   const LedgerRows ledger = *read_rows(database, format);
//
// chain.h checks them. Amounts and totals stay texts, because the hashes are over these texts. A
// field that a format does not have is empty.
// Error    those of sqlite.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/old_ledger/sqlite.h"

namespace tacet::old_ledger {

/// In a closed ledger: programs that had it open before can no longer charge it.
inline constexpr const char* kClosingTrigger =
    "CREATE TRIGGER closed BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'this ledger was closed'); END";

enum class Format : std::uint8_t { PlainSums = 1, FilterRules = 2 };

struct AmountText {
  std::string first, second;
  friend bool operator==(const AmountText&, const AmountText&) = default;
};

/// The totals of a filter (privacy/filter.h). Format 1: no drift.
struct TotalsText {
  std::string first, drift, delta;
  friend bool operator==(const TotalsText&, const TotalsText&) = default;
};

/// The row about the ledger itself.
struct RollRow {
  std::string name;
  std::int64_t budgets = 0;  // their number
  std::string hash;          // over the origins of all budgets: a missing one is noticed
};

struct BudgetRow {
  std::int64_t id = 0;  // 1, 2, ... in order of creation
  std::string dataset, neighbours, currency, rule;
  AmountText total;
  std::string slack;
  std::string created;      // time
  std::string origin_hash;  // over all of the above, the shares and the name of the ledger
  TotalsText spent;
  std::int64_t entries = 0;
  std::string head_hash;  // of the last entry; origin_hash before the first
};

struct ShareRow {
  std::string analyst;
  AmountText most;
};

/// The state of an analyst; it repeats the analyst's last entry.
struct AnalystRow {
  std::string analyst;
  TotalsText spent;
  std::int64_t last_entry = 0;
};

struct EntryRow {
  std::int64_t number = 0;
  std::string analyst, statement, statement_hash;
  std::string loss;                 // "pure", "approximate" or "gaussian"
  AmountText charged;               // format 2: the loss; format 1: in the currency of the budget
  TotalsText spent, analyst_spent;  // by all and by this analyst, this entry included
  std::string time;
  std::int64_t clock_went_back = 0;
  std::string previous_hash, entry_hash;
};

struct BudgetRows {
  BudgetRow budget;
  std::vector<ShareRow> shares;      // by name
  std::vector<AnalystRow> analysts;  // by name
  std::vector<EntryRow> entries;     // by number
};

struct LedgerRows {
  RollRow roll;
  std::vector<BudgetRows> budgets;  // by id
};

/// The format with these tables. LedgerCorrupt if there is none.
Result<Format> format_of(sqlite::Database& database, const std::string& path);

/// All rows, as of one moment.
Result<LedgerRows> read_rows(sqlite::Database& database, Format format);

}  // namespace tacet::old_ledger
