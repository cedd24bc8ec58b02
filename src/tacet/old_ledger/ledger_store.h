// tacet/kernel/ledger_store.h: the rows of a ledger, read and written; no judgement (that is ledger_chain.h and ledger.cc).
//
// Amounts and totals stay the texts that are in the file, because these are what the hashes are over.
// Domain   every function but begin_* is called between begin_* and commit() or rollback().
// Error    those of kernel/sqlite.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/sqlite.h"

namespace tacet::kernel {

struct AmountText {
  std::string first, second;
  friend bool operator==(const AmountText&, const AmountText&) = default;
};

/// The totals of a filter (privacy/filter.h).
struct TotalsText {
  std::string first, drift, delta;
  friend bool operator==(const TotalsText&, const TotalsText&) = default;
};

/// The one row about the ledger itself.
struct RollRow {
  std::string name;          // random, so that a receipt says which ledger it is from
  std::int64_t budgets = 0;  // how many there are
  std::string hash;          // chains over the origins of all budgets: a missing one is noticed
};

struct BudgetRow {
  std::int64_t id = 0;  // 1, 2, ... in order of creation
  std::string dataset, neighbours, currency, rule;
  AmountText total;
  std::string slack;        // "0" but for the rule whitehouse
  std::string created;      // time
  std::string origin_hash;  // over all of the above, the shares and the ledger's name
  // What changes with every charge; the last entry says the same, and a difference is noticed.
  TotalsText spent;
  std::int64_t entries = 0;
  std::string head_hash;  // of the last entry; origin_hash before the first
};

struct ShareRow {
  std::string analyst;
  AmountText most;
};

/// Where an analyst stands; the analyst's last entry says the same.
struct AnalystRow {
  std::string analyst;
  TotalsText spent;
  std::int64_t last_entry = 0;
};

struct EntryRow {
  std::int64_t number = 0;
  std::string analyst, statement, statement_hash;
  std::string loss;                 // "pure", "approximate" or "gaussian"
  AmountText charged;               // the loss itself: epsilon, epsilon and delta, or mu^2; the sums follow from it
  TotalsText spent, analyst_spent;  // by all, and by this analyst, this entry included
  std::string time;
  std::int64_t clock_went_back = 0;
  std::string previous_hash, entry_hash;
};

class LedgerStore {
 public:
  explicit LedgerStore(sqlite::Database database);

  Status begin_write();
  Status begin_read();
  Status commit();
  void rollback();  // does nothing outside a transaction

  Result<RollRow> roll();
  Result<std::vector<BudgetRow>> budgets();  // by id, read past the index of names
  Result<std::optional<BudgetRow>> budget(const std::string& dataset);
  Result<std::vector<ShareRow>> shares(std::int64_t budget);      // by name
  Result<std::vector<AnalystRow>> analysts(std::int64_t budget);  // by name
  Result<std::optional<AnalystRow>> analyst(std::int64_t budget, const std::string& analyst);
  Result<std::optional<EntryRow>> last_entry(std::int64_t budget);
  Result<std::optional<EntryRow>> last_entry_of(std::int64_t budget, const std::string& analyst);
  Result<std::optional<EntryRow>> entry(std::int64_t budget, std::int64_t number);
  Result<std::vector<EntryRow>> entries(std::int64_t budget);  // by number

  Status add_budget(const BudgetRow& budget, const std::vector<ShareRow>& shares, const RollRow& roll_after);
  /// Appends the entry and moves the budget's and the analyst's standing on to it.
  Status add_entry(std::int64_t budget, const EntryRow& entry);

 private:
  sqlite::Database database_;
  // The statements of a charge are compiled once and kept.
  sqlite::Statement begin_write_, begin_read_, commit_, rollback_;
  sqlite::Statement budget_, shares_, analyst_, last_entry_, last_entry_of_;
  sqlite::Statement insert_entry_, update_budget_, update_analyst_;
};

}  // namespace tacet::kernel
