// tacet/kernel/ledger/terms.h: the public facts and the budget of a dataset, declared once.
//
//   Ledger ledger = *Ledger::open("patients.ledger");
//   Terms terms = *ledger.terms("patients");
//   terms.declared().relation;                                    // which files are neighbours
//   std::optional<PublicFact<std::int64_t>> n = terms.people(rows);   // empty if n is private
//
// A custodian writes a Declaration; Terms are a declaration in a ledger, with all amendments. Only
// the ledger makes Terms, so a request cannot choose what is public. The kernel keeps the schema
// as canonical text and compares it byte by byte (data/canonical_schema.h interprets it).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/kernel/relation.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

/// A value that the terms of its dataset allow to leave without noise. Only Terms makes one.
template <class T>
class PublicFact {
 public:
  const T& value() const { return value_; }
  friend bool operator==(const PublicFact&, const PublicFact&) = default;
  friend bool operator==(const PublicFact& fact, const T& value) { return fact.value_ == value; }

 private:
  friend class Terms;
  explicit PublicFact(T value) : value_(std::move(value)) {}
  T value_;
};

/// The source of a value: a dataset of one ledger. Only the ledger makes one.
class DatasetId {
 public:
  const std::string& ledger() const { return ledger_; }
  const std::string& dataset() const { return dataset_; }
  friend bool operator==(const DatasetId&, const DatasetId&) = default;

 private:
  friend class Ledger;
  DatasetId(std::string ledger, std::string dataset) : ledger_(std::move(ledger)), dataset_(std::move(dataset)) {}
  std::string ledger_, dataset_;  // a random name, not a path
};

/// The budget of a dataset, fixed for ever, and the public facts about its people.
struct Declaration {
  privacy::Budget budget;
  Relation relation;                        // of all charges
  privacy::FilterRule rule;                 // must keep promises in the currency of the budget
  Decimal slack{};                          // whitehouse: delta for the square root; otherwise 0
  std::string schema{};                     // canonical text
  std::string source{};                     // path or URI; empty: that of the first release
  bool idealised = false;                   // allows mechanisms proven in real arithmetic only
  std::optional<privacy::Amount> others{};  // joint limit of analysts without a share
  std::string custodian{};                  // may amend this declaration
  std::string again{};                      // the reason for a second budget of one source
};

/// An analyst's part of the total. Under whitehouse its delta is at least the slack of the budget.
struct Share {
  std::string analyst;
  privacy::Amount limit;
};

/// A charge of an older ledger.
struct AdoptedCharge {
  std::string analyst, statement, time;
  std::string entry_hash;  // hex, as in its receipt
  privacy::Loss loss;
  bool idealised = false;
};

class Terms {
 public:
  const DatasetId& id() const { return id_; }
  const std::string& dataset() const { return id_.dataset(); }
  const Declaration& declared() const { return declared_; }
  const std::vector<Share>& shares() const { return shares_; }
  /// Hex, of the record that created the budget; receipts refer to it.
  const std::string& origin_hash() const { return origin_hash_; }

  /// The number of rows, if the relation makes it public.
  std::optional<PublicFact<std::int64_t>> people(std::int64_t rows) const {
    return declared_.relation.people_are_public() ? std::optional(PublicFact<std::int64_t>(rows)) : std::nullopt;
  }
  /// The number of rows per group, if membership in the groups of this column is public.
  std::optional<PublicFact<std::vector<std::int64_t>>> group_sizes(const std::string& column, std::vector<std::int64_t> sizes) const {
    if (!declared_.relation.people_are_public() || !declared_.relation.is_public(column)) return std::nullopt;
    return PublicFact<std::vector<std::int64_t>>(std::move(sizes));
  }
  /// Labels from the schema of these terms; the caller answers for that.
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
