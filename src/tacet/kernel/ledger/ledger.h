// tacet/kernel/ledger/ledger.h: the durable budget: a charge is on disk before its noise exists.
//
//   Ledger ledger = *Ledger::open("people.ledger");
//   Terms terms = *ledger.terms("patients");              // public facts, and the budget
//   Result<Grant> grant = ledger.charge({.dataset = "patients", .analyst = "ada", .statement = "a",
//                                        .relation = Relation::ReplaceOne, .loss = loss});
//   if (!grant) return grant.error();   // BudgetExhausted: nothing was spent
// A ledger is one file of lines that only grows (log_file.h), the same file under every name. A
// charge locks the file, reads what others have appended, asks the filter of the budget (book.h),
// appends one line and syncs it. A crash may waste a charge; it can never publish for free. A
// ledger may have several datasets, each with its terms (terms.h).
//
// Lines are chained by hashes and tagged with the custodian's key, which is kept elsewhere
// (record.h, seal.h). Every open checks all lines and refuses a ledger that was damaged, edited,
// cut, forged or replaced by an older copy (LedgerCorrupt). Without the key a ledger can be read
// but not charged. Nothing depends on the clock: entries have numbers, and clock_went_back marks a
// time before that of the entry before.
// Error    Error::spent() of a failed charge is "nothing was spent", unless the disk failed during
//          the append: then it says what may have been spent. In no case is there a Grant.
// Threads  one Ledger per thread; a forked child is refused; processes may share the file.
// Cost     a charge is one synced append (bench/ledger_bench.cc); opening takes 10 us per entry.
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
  std::string statement;  // the release as canonical text; parameters, never data
  Relation relation;      // of the loss
  privacy::Loss loss;
  std::string source{};    // the file to read; the first charge fixes it if the terms do not
  bool idealised = false;  // proven in real arithmetic only
  std::string words{};     // the cost, for people; empty: in the currency of the budget
};

struct LedgerOptions {
  bool create = false;  // only custody.h: makes an empty ledger if there is none
  /// Seconds since 1970, UTC. No promise depends on it; tests pass their own.
  std::function<std::int64_t()> clock{};
  std::string seals{};                                       // empty: Seal::usual_folder()
  std::chrono::milliseconds patience = FileLock::kPatience;  // waits for other processes
  Disk* disk = nullptr;
};

struct LedgerState;  // ledger_state.h, private to the kernel

/// The part of a ledger that a release needs.
class Ledger {
 public:
  /// NotFound if there is none: custodians make ledgers (kernel/custody/custody.h).
  static Result<Ledger> open(const std::string& path, const LedgerOptions& options = {});
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  /// The random name of the ledger, which receipts contain.
  const std::string& name() const;

  Result<Terms> terms(const std::string& dataset) const;

  /// Charges and returns the permission, or refuses and spends nothing: BudgetExhausted if the
  /// filter of the budget or share stops; Unsupported if the rule cannot count such a loss or the
  /// terms forbid idealised mechanisms; InvalidArgument if relation or source differ.
  Result<Grant> charge(const ChargeRequest& request);
  /// The refusal that charge() would give now. Writes nothing; only charge() decides.
  Status check(const ChargeRequest& request) const;

  /// Records that the data could not be read for this request.
  Status record_failed_scan(const ChargeRequest& request);
  /// Records the hash of the released file. Refused for a receipt of another ledger.
  Status record_published(const Receipt& receipt, const std::string& release_hash);

 protected:
  explicit Ledger(std::unique_ptr<LedgerState> state);
  LedgerState& state() const { return *state_; }

 private:
  std::unique_ptr<LedgerState> state_;
};

}  // namespace tacet::kernel
