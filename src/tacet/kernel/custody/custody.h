// tacet/kernel/custody/custody.h: the custodian's side of a ledger: creates it, sets and amends terms, reads what was charged.
//
//   Custody ledger = *Custody::open("people.ledger", {.create = true});
//   TACET_CHECK(ledger.create_budget("patients", plain_terms(budget, Relation::ReplaceOne), {}));
//   BudgetState state = *ledger.show("patients");
//
// A release needs none of this, and takes a Ledger. What is declared here is checked before it is written; that the records of a ledger
// agree with each other is checked by everybody who reads it (ledger/book.h).
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
  privacy::Filter filter;  // with all that was charged: what was spent, what remains, what fits
  std::int64_t entries = 0, charges = 0;
  std::int64_t idealised = 0;  // how many charges were for mechanisms whose promise holds in real arithmetic only
  struct AnalystState {
    std::string analyst;
    std::optional<privacy::Amount> limit;  // nothing: no share of their own
    privacy::Filter filter;                // over the analyst's own charges, with the limit, or else the total
  };
  std::vector<AnalystState> analysts;     // those with a share or an entry, by name
  bool shared = false;                    // are there shares? Whoever has none then spends from what is left to others, if anything is
  std::optional<privacy::Filter> others;  // over the charges of all without a share, with what they may spend together; nothing without it
  struct LastCharge {
    std::string analyst;
    privacy::Loss loss;
  };
  std::optional<LastCharge> last;
  std::string adopted{};  // the older ledger that the first entries come from: its name and last hash; empty if there was none
  bool sealed = false;    // was every entry checked with the custodian's key, and not only the chain of hashes?
};

/// By the rule of a budget that names none: plain sums.
Declaration plain_terms(const privacy::Budget& budget, const Relation& relation);

/// What a custodian changes; what is not named stays.
struct Amendment {
  std::string custodian, reason;
  std::optional<std::string> schema{}, source{};
  std::optional<Relation> relation{};  // only while nothing has been charged
};

struct TermsRecord;

class Custody : public Ledger {
 public:
  /// ":memory:" is a new ledger that ends with this object: for simulations and tests, never for people's data.
  static Result<Custody> open(const std::string& path, const LedgerOptions& options = {});

  /// The refusal that create_budget() gives whatever the ledger holds: for a caller who makes none before it is known to serve.
  static Status check_terms(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares);
  /// Sets a dataset's terms, once. AlreadyExists if it has some; InvalidArgument if the rule does not serve the budget or a share exceeds the
  /// total. Names of datasets and analysts: 1 to 200 bytes of UTF-8 without control characters.
  Status create_budget(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares);
  /// The same for a dataset of an older ledger, with what was charged there. `from`: the old ledger's name and last hash.
  Status adopt(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares, const std::string& from,
               const std::vector<AdoptedCharge>& charges);
  /// Changes the terms by an entry of its own. Refused for another than the custodian, and for the relation once anything was charged.
  Status amend(const std::string& dataset, const Amendment& amendment);

  /// Removes the ledger and its key if open() made it and nothing was written into it since: a request that is refused leaves nothing behind.
  void discard_if_new();

  /// What remains and who spent what.
  Result<BudgetState> show(const std::string& dataset) const;
  /// All entries, oldest first.
  Result<std::vector<Entry>> history(const std::string& dataset) const;
  /// The names of the datasets, in the order in which they got their budgets.
  Result<std::vector<std::string>> datasets() const;

 private:
  Custody(std::unique_ptr<LedgerState> state, bool made);
  Status write_terms(const TermsRecord& terms);
  bool made_;  // by open()
};

}  // namespace tacet::kernel
