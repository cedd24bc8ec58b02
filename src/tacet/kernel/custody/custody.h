// tacet/kernel/custody/custody.h: for custodians: creates a ledger, sets terms, reads charges.
//
//   Custody ledger = *Custody::open("people.ledger", {.create = true});
//   Declaration terms = plain_terms(budget_of(*Rho::parse("1")), Relation::ReplaceOne);
//   TACET_CHECK(ledger.create_budget("patients", terms, /*shares=*/{}));
//   BudgetState state = *ledger.show("patients");
//
// A release needs none of this, and takes a Ledger. Declarations are checked before they are
// written; everybody who reads a ledger checks that its records agree (ledger/book.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/custody/entry.h"
#include "tacet/kernel/ledger/ledger.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

struct BudgetState {
  std::string dataset;
  Declaration terms;       // with all amendments
  privacy::Filter filter;  // with all charges: spent, remaining, what fits
  std::int64_t entries = 0, charges = 0;
  std::int64_t idealised = 0;  // charges for mechanisms proven in real arithmetic only
  struct AnalystState {
    std::string analyst;
    std::optional<privacy::Amount> limit;  // empty: no share
    privacy::Filter filter;                // the analyst's charges, against the limit or the total
  };
  std::vector<AnalystState> analysts;  // with a share or an entry, by name
  // Are there shares? Analysts without one then spend from the limit of `others`, if there is one.
  bool shared = false;
  // The charges of all analysts without a share, against their joint limit; empty without one.
  std::optional<privacy::Filter> others;
  struct LastCharge {
    std::string analyst;
    privacy::Loss loss;
  };
  std::optional<LastCharge> last;
  // Name and last hash of the older ledger of the first entries; empty if there was none.
  std::string adopted{};
  // Was every entry checked with the custodian's key, not only the chain of hashes?
  bool sealed = false;
};

/// Terms with the default rule of the budget: plain sums.
Declaration plain_terms(const privacy::Budget& budget, const Relation& relation);

/// The changes of a custodian; absent fields stay as they were.
struct Amendment {
  std::string custodian, reason;
  std::optional<std::string> schema{}, source{};
  std::optional<Relation> relation{};          // only before the first charge
  std::optional<std::string> contributions{};  // of one person, in words; likewise
};

struct TermsRecord;
class History;

class Custody : public Ledger {
 public:
  /// ":memory:" is a new ledger that ends with this object: for simulations and tests, never for
  /// data of people.
  static Result<Custody> open(const std::string& path, const LedgerOptions& options = {});

  /// The refusals of create_budget() that do not depend on the ledger, for callers that first make
  /// one.
  static Status check_terms(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares);
  /// Sets the terms of a dataset, once. AlreadyExists if it has some; InvalidArgument if the rule
  /// does not serve the budget or a share exceeds the total. Names of datasets and analysts: 1 to
  /// 200 bytes of UTF-8 without control characters.
  Status create_budget(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares);
  /// The same for a dataset of an older ledger, with its charges. `from`: name and last hash of
  /// the old ledger.
  Status adopt(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares, const std::string& from,
               const std::vector<AdoptedCharge>& charges);
  /// Changes the terms by a new entry. Refused for anyone but the custodian, and for the relation
  /// after a charge.
  Status amend(const std::string& dataset, const Amendment& amendment);

  /// Would open() find the same file and the same key at this path, in this process? If so, this
  /// ledger reads only what is new, where open() would read everything.
  bool is_still_at(const std::string& path) const;

  /// Removes the ledger and its key if open() made it and nothing was written since: a refused
  /// request leaves nothing.
  void discard_if_new();

  /// The remaining budget, and what each analyst spent.
  Result<BudgetState> show(const std::string& dataset) const;
  /// All entries, oldest first.
  Result<std::vector<Entry>> history(const std::string& dataset) const;
  /// The same without a copy: valid until this ledger is asked or charged again.
  Result<const std::vector<Entry>*> entries(const std::string& dataset) const;
  /// The names of the datasets, in the order in which their budgets were created.
  Result<std::vector<std::string>> datasets() const;

 private:
  Custody(std::unique_ptr<LedgerState> state, std::shared_ptr<const History> history, bool made);
  Status write_terms(const TermsRecord& terms);
  std::shared_ptr<const History> history_;  // grows with the ledger
  bool made_;                               // by open()
};

}  // namespace tacet::kernel
