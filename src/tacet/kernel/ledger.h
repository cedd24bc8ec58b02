// tacet/kernel/ledger.h: the durable budget. A charge is on disk before the noise it pays for exists.
//
//   Ledger ledger = *Ledger::open("people.ledger");
//   Result<Grant> grant =
//       ledger.charge({.dataset = "patients", .analyst = "ada", .statement = text, .relation = Relation::ReplaceOne, .loss = loss});
//   if (!grant) return grant.error();   // BudgetExhausted: nothing was spent
//
// One SQLite file may hold the budgets of several datasets. Each dataset has one total across all analysts, in one currency, with one filter
// rule (privacy/filter.h) that decides every charge and one neighbour relation, all fixed when it is created; an analyst may be limited to a
// smaller share of it, which is a filter by the same rule over that analyst's charges alone. Write-ahead log, synchronous=FULL, one
// immediate transaction per charge: when charge() returns a Grant, the entry has been synced. A crash may waste a charge; it can never
// publish for free.
//
// Every entry says who, what (the hash of the statement and the statement itself), the loss that was charged, the totals of the filter
// after it as exact decimals, when, and chains a hash over the entries before it, so that a damaged or edited file is found out
// (LedgerCorrupt) instead of trusted. The hashes have no key: an older copy of the whole file put back in its place is not found out
// (docs/threats.md).
// Nothing depends on the clock: entries are ordered by number, and an entry written while the clock stood before that
// of the entry before it says so (clock_went_back).
// Error    Error::spent() of a failed charge is "nothing was spent", except when the disk failed during the commit: then it
//          says what may have been spent. In no case is there a Grant.
// Threads  one Ledger per thread, none across a fork; any number of processes may share the file.
// Cost     one transaction and a few syncs per charge, independent of the number of entries (linear in the dataset's shares):
//          measured, 0.7 ms of processor time on a local disk and 35 to 55 us in memory (rogers the most), where an entry takes 0.5 KB.
//          history() is linear, 10 us per entry. A refusal takes 0.2 ms, for the largest release that fits; of a pure loss in mu 2 ms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

/// How a dataset's budget is kept, for ever: choosing any of it after the first charge would void the promise.
struct BudgetTerms {
  privacy::Budget budget;
  Relation relation;         // of all that is charged: losses under different relations do not add up
  privacy::FilterRule rule;  // one that keeps promises in the budget's currency
  Decimal slack;             // whitehouse: the part of delta that pays for the square root; 0 for the other rules
};
/// By the rule of a budget that names none: plain sums.
BudgetTerms plain_terms(const privacy::Budget& budget, Relation relation);

/// An analyst's part of the total. Under whitehouse it has the slack of the budget, so its delta is at least that.
struct Share {
  std::string analyst;
  privacy::Amount limit;
};

struct BudgetState {
  std::string dataset;
  BudgetTerms terms;
  privacy::Filter filter;  // with all that was charged: what was spent, what remains, what fits
  std::int64_t entries = 0;
  struct AnalystState {
    std::string analyst;
    std::optional<privacy::Amount> limit;  // nothing: limited by the total only
    privacy::Filter filter;                // over the analyst's own charges, with the limit, or else the total
  };
  std::vector<AnalystState> analysts;  // those with a share or an entry, by name
  struct LastCharge {
    std::string analyst;
    privacy::Loss loss;
  };
  std::optional<LastCharge> last;
};

struct Entry {
  std::int64_t number = 0;
  std::string analyst, statement, statement_hash, time, entry_hash;
  privacy::Loss loss;                    // as it was charged
  privacy::Amount charged, spent_after;  // in the budget's currency: Filter::spent_amount() after the charge
  bool clock_went_back = false;
};

struct ChargeRequest {
  std::string dataset, analyst;
  std::string statement;  // what is to be released, as canonical text; parameters only, never data
  Relation relation;      // the one that the loss is stated for
  privacy::Loss loss;
};

class Ledger {
 public:
  /// Seconds since 1970, UTC. No promise depends on it; tests pass their own.
  using Clock = std::function<std::int64_t()>;

  /// Opens the file, or makes an empty ledger (readable by its owner alone) where there is none and `create` is true.
  /// ":memory:" is a new ledger that ends with this object: for simulations and tests, never for people's data.
  static Result<Ledger> open(const std::string& path, bool create = false, Clock clock = {});
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  /// Sets a dataset's budget, once. AlreadyExists if it has one; InvalidArgument if the rule does not serve the budget or a share exceeds the
  /// total. Names of datasets and analysts: 1 to 200 bytes of UTF-8 without control characters.
  Status create_budget(const std::string& dataset, const BudgetTerms& terms, const std::vector<Share>& shares);

  /// Charges and returns the permission, or refuses and spends nothing: BudgetExhausted if the filter of the budget or of the analyst's share
  /// stops, Unsupported if the rule cannot count such a loss, InvalidArgument for another relation than the budget's.
  Result<Grant> charge(const ChargeRequest& request);

  /// The refusal that charge() would give now, if any. Writes nothing and promises nothing: only charge() decides.
  Status check(const ChargeRequest& request) const;

  /// What remains and who spent what, after checking it against the last entries.
  Result<BudgetState> show(const std::string& dataset) const;
  /// All entries, oldest first, after checking the whole chain of hashes and sums.
  Result<std::vector<Entry>> history(const std::string& dataset) const;
  /// The names of the datasets, in the order in which they got their budgets.
  Result<std::vector<std::string>> datasets() const;

 private:
  struct Impl;
  explicit Ledger(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacet::kernel
