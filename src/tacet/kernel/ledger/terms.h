// tacet/kernel/ledger/terms.h: what is public about a dataset and what may be spent on it, as its custodian declared it once.
//
//   Ledger ledger = *Ledger::open("patients.ledger");
//   Terms terms = *ledger.terms("patients");
//   terms.declared().relation;                                    // which files are neighbours
//   std::optional<PublicFact<std::int64_t>> n = terms.people(rows);   // nothing where the number of people is private
//
// A Declaration is what a custodian writes; Terms are a declaration that stands in a ledger, with every amendment since. Only the
// ledger makes Terms, so what they call public cannot come from a request. The schema is kept as canonical text: the kernel does
// not read it, and compares it byte by byte (data/canonical_schema.h knows what it means).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/kernel/public_fact.h"
#include "tacet/kernel/relation.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

/// Which people a value was computed from: a dataset of one ledger. Made by the ledger alone.
class DatasetId {
 public:
  const std::string& ledger() const { return ledger_; }
  const std::string& dataset() const { return dataset_; }
  friend bool operator==(const DatasetId&, const DatasetId&) = default;

 private:
  friend class Ledger;
  DatasetId(std::string ledger, std::string dataset) : ledger_(std::move(ledger)), dataset_(std::move(dataset)) {}
  std::string ledger_, dataset_;  // the ledger's random name, not its path
};

/// How a dataset's budget is kept, for ever, and what is public about its people.
struct Declaration {
  privacy::Budget budget;
  Relation relation;                        // of all that is charged: losses under different relations do not add up
  privacy::FilterRule rule;                 // one that keeps promises in the budget's currency
  Decimal slack{};                          // whitehouse: the part of delta that pays for the square root; 0 for the other rules
  std::string schema{};                     // canonical text: columns, categories, bounds, what missing counts as, dialect, table
  std::string source{};                     // where the data is, path or URI; empty: where the first release reads it
  bool idealised = false;                   // may mechanisms be charged whose promise holds in real arithmetic only?
  std::optional<privacy::Amount> others{};  // what all analysts without a share may spend together, where there are shares
  std::string custodian{};                  // the user who declared this, and may amend it
  std::string again{};                      // why there is a second budget for the same source, where there is one
};

/// An analyst's part of the total. Under whitehouse it has the slack of the budget, so its delta is at least that.
struct Share {
  std::string analyst;
  privacy::Amount limit;
};

/// A charge of an older ledger, to go on from.
struct AdoptedCharge {
  std::string analyst, statement, time;
  std::string entry_hash;  // hex, as in the receipt of that time
  privacy::Loss loss;
  bool idealised = false;
};

class Terms {
 public:
  const DatasetId& id() const { return id_; }
  const std::string& dataset() const { return id_.dataset(); }
  const Declaration& declared() const { return declared_; }
  const std::vector<Share>& shares() const { return shares_; }
  /// Hex, of the record that created the budget: a receipt refers to it.
  const std::string& origin_hash() const { return origin_hash_; }

  /// The number of rows, where the relation makes it public.
  std::optional<PublicFact<std::int64_t>> people(std::int64_t rows) const {
    return declared_.relation.people_are_public() ? std::optional(PublicFact<std::int64_t>(rows)) : std::nullopt;
  }
  /// The number of rows in each group, where membership in the groups of this column is public.
  std::optional<PublicFact<std::vector<std::int64_t>>> group_sizes(const std::string& column, std::vector<std::int64_t> sizes) const {
    if (!declared_.relation.people_are_public() || !declared_.relation.is_public(column)) return std::nullopt;
    return PublicFact<std::vector<std::int64_t>>(std::move(sizes));
  }
  /// Labels that stand in the schema of these terms. The caller answers for that.
  PublicFact<std::vector<std::string>> trusted_labels(std::vector<std::string> labels) const {
    return PublicFact<std::vector<std::string>>(std::move(labels));
  }

 private:
  friend class Ledger;
  Terms(DatasetId id, Declaration declared, std::vector<Share> shares, std::string origin_hash)
      : id_(std::move(id)), declared_(std::move(declared)), shares_(std::move(shares)), origin_hash_(std::move(origin_hash)) {}
  DatasetId id_;
  Declaration declared_;
  std::vector<Share> shares_;
  std::string origin_hash_;
};

}  // namespace tacet::kernel
