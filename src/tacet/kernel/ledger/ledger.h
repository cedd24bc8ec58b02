// tacet/kernel/ledger/ledger.h: the durable budget. A charge is on disk before the noise it pays for exists.
//
//   Ledger ledger = *Ledger::open("people.ledger");
//   Terms terms = *ledger.terms("patients");                          // what is public, and what may be spent
//   Result<Grant> grant =
//       ledger.charge({.dataset = "patients", .analyst = "ada", .statement = text, .relation = terms.declared().relation, .loss = loss});
//   if (!grant) return grant.error();   // BudgetExhausted: nothing was spent
//
// A ledger is one file of lines that only grows (log_file.h), the same file under every name it has: a charge locks the file itself,
// reads what others have appended, decides by the filter of the budget (book.h), appends one line and syncs it. A crash may waste a charge;
// it can never publish for free. One ledger may hold several datasets, each with its own terms (terms.h).
//
// Lines are chained by hashes and tagged under the custodian's key, which is kept apart (record.h, seal.h). Every open checks all of them,
// so a ledger that was damaged, edited, cut, forged or put back to an older copy is refused (LedgerCorrupt) instead of trusted. Without the
// key a ledger can be read, and the chain checked, but nothing can be charged.
// Nothing depends on the clock: entries are ordered by number, and an entry written while the clock stood before that
// of the entry before it says so (clock_went_back).
// Error    Error::spent() of a failed charge is "nothing was spent", except when the disk failed during the append: then it
//          says what may have been spent. In no case is there a Grant.
// Threads  one Ledger per thread; a forked child that uses its parent's is refused; any number of processes may share the file.
// Cost     a charge is one synced append (bench/ledger_bench.cc compares it with a synced SQLite commit); opening takes about 10 us for an entry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/ledger/disk.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

struct ChargeRequest {
  std::string dataset, analyst;
  std::string statement;  // what is to be released, as canonical text; parameters only, never data
  Relation relation;      // the one that the loss is stated for
  privacy::Loss loss;
  std::string source{};    // what will be read: fixed by the first charge where the terms name none
  bool idealised = false;  // is the promise proven in real arithmetic only?
};

struct LedgerOptions {
  bool create = false;  // custody.h alone: make an empty ledger, readable by its owner alone, where there is none
  /// Seconds since 1970, UTC. No promise depends on it; tests pass their own.
  std::function<std::int64_t()> clock{};
  std::string seals{};                                       // the folder with the custodian's keys; empty: Seal::usual_folder()
  std::chrono::milliseconds patience = FileLock::kPatience;  // with other processes that charge
  Disk* disk = nullptr;
};

struct LedgerState;  // ledger_state.h, private to the kernel

/// What a release needs of a ledger, and no more.
class Ledger {
 public:
  /// NotFound where there is none: a custodian makes it, sets terms, and reads the history (kernel/custody/custody.h).
  static Result<Ledger> open(const std::string& path, const LedgerOptions& options = {});
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  /// The ledger's random name, which receipts carry.
  const std::string& name() const;

  Result<Terms> terms(const std::string& dataset) const;

  /// Charges and returns the permission, or refuses and spends nothing: BudgetExhausted if the filter of the budget or of the analyst's share
  /// stops, Unsupported if the rule cannot count such a loss or the terms allow no idealised mechanism, InvalidArgument for another relation
  /// or source than the terms'.
  Result<Grant> charge(const ChargeRequest& request);
  /// The refusal that charge() would give now, if any. Writes nothing and promises nothing: only charge() decides.
  Status check(const ChargeRequest& request) const;

  /// Writes down that the data could not be read for this request.
  Status record_failed_scan(const ChargeRequest& request);
  /// Writes down the hash of the file that was written for a charge. Refused for a receipt that is not of this ledger.
  Status record_published(const Receipt& receipt, const std::string& release_hash);

 protected:
  explicit Ledger(std::unique_ptr<LedgerState> state);
  LedgerState& state() const { return *state_; }

 private:
  std::unique_ptr<LedgerState> state_;
};

}  // namespace tacet::kernel
