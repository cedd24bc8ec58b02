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
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/ledger/disk.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

struct BudgetState {
  std::string dataset;
  Declaration terms;       // with all amendments
  privacy::Filter filter;  // with all that was charged: what was spent, what remains, what fits
  std::int64_t entries = 0, charges = 0;
  std::int64_t idealised = 0;  // how many charges were for mechanisms whose promise holds in real arithmetic only
  struct AnalystState {
    std::string analyst;
    std::optional<privacy::Amount> limit;  // nothing: no share of their own
    privacy::Filter filter;                // over the analyst's own charges, with the limit, or else the total
  };
  std::vector<AnalystState> analysts;  // those with a share or an entry, by name
  struct LastCharge {
    std::string analyst;
    privacy::Loss loss;
  };
  std::optional<LastCharge> last;
  bool sealed = false;  // was every entry checked with the custodian's key, and not only the chain of hashes?
};

enum class EntryKind : std::uint8_t { Charge, FailedScan, Amendment };
std::string_view name(EntryKind kind);  // "charge", "failed-scan", "amendment"

struct Entry {
  std::int64_t number = 0;
  EntryKind kind = EntryKind::Charge;
  std::string analyst;    // who asked; the custodian of an amendment
  std::string statement;  // what was asked for; the reason of an amendment
  std::string statement_hash, time, entry_hash;
  std::optional<privacy::Loss> loss;     // of a charge, as it was charged
  privacy::Amount charged, spent_after;  // in the budget's currency
  std::string release_hash;              // of the file that was written for a charge; empty if none was
  bool clock_went_back = false;
};

struct ChargeRequest {
  std::string dataset, analyst;
  std::string statement;  // what is to be released, as canonical text; parameters only, never data
  Relation relation;      // the one that the loss is stated for
  privacy::Loss loss;
  std::string source{};    // what will be read: fixed by the first charge where the terms name none
  bool idealised = false;  // is the promise proven in real arithmetic only?
};

/// What a custodian changes; what is not named stays.
struct Amendment {
  std::string custodian, reason;
  std::optional<std::string> schema{}, source{};
  std::optional<Relation> relation{};  // only while nothing has been charged
};

struct LedgerOptions {
  bool create = false;  // make an empty ledger, readable by its owner alone, where there is none
  /// Seconds since 1970, UTC. No promise depends on it; tests pass their own.
  std::function<std::int64_t()> clock{};
  std::string seals{};                                       // the folder with the custodian's keys; empty: Seal::usual_folder()
  std::chrono::milliseconds patience = FileLock::kPatience;  // with other processes that charge
  Disk* disk = nullptr;
};

class Ledger {
 public:
  /// ":memory:" is a new ledger that ends with this object: for simulations and tests, never for people's data.
  static Result<Ledger> open(const std::string& path, const LedgerOptions& options = {});
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  /// The ledger's random name, which receipts carry.
  const std::string& name() const;

  /// Sets a dataset's terms, once. AlreadyExists if it has some; InvalidArgument if the rule does not serve the budget or a share exceeds the
  /// total. Names of datasets and analysts: 1 to 200 bytes of UTF-8 without control characters.
  Status create_budget(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares);
  /// The same for a dataset of an older ledger, with what was charged there. `from`: the old ledger's name and last hash.
  Status adopt(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares, const std::string& from,
               const std::vector<AdoptedCharge>& charges);
  /// Changes the terms by an entry of its own. Refused for another than the custodian, and for the relation once anything was charged.
  Status amend(const std::string& dataset, const Amendment& amendment);

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

  /// What remains and who spent what.
  Result<BudgetState> show(const std::string& dataset) const;
  /// All entries, oldest first.
  Result<std::vector<Entry>> history(const std::string& dataset) const;
  /// The names of the datasets, in the order in which they got their budgets.
  Result<std::vector<std::string>> datasets() const;

 private:
  struct Impl;
  explicit Ledger(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacet::kernel
