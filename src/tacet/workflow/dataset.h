// tacet/workflow/dataset.h: a dataset with a budget: its ledger, its analyst and its data file.
//
//   Dataset patients = *Dataset::open("patients.ledger", {.analyst = "team-3"});
//   BudgetSummary budget = *patients.budget();
//   Published<CountRelease> table =                               // release/release_counts.h
//       *release_counts(patients, {.by = {"smoking"}, .loss = Rho(0.125), .out = "smoking.json"});
//
// A Dataset is a handle: it has no rows and no part of the budget. Every release reads the terms
// from the ledger once. Public facts come from the terms, never from the request. Releases of one
// Dataset and of its copies keep the ledger open (kept_ledger.h), so each reads only what is new.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/workflow/budget_summary.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/kept_ledger.h"
#include "tacet/workflow/memory_table.h"

namespace tacet {

/// Where rows are: the path of a file, or a table in memory.
using DataPlace = std::variant<std::string, MemoryTable>;

/// Which dataset of which ledger, as far as the caller says it.
struct DatasetPlace {
  std::optional<std::string> ledger = {};        // its path; nothing: the schema's
  std::optional<std::string> dataset = {};       // nothing: the schema's, or the only one
  std::optional<data::Schema> schema = {};       // of the request: it must agree with the terms
  std::optional<DataPlace> data = {};            // the rows; nothing: the source in the terms
  std::optional<std::string> on_behalf_of = {};  // the charged analyst; for the custodian only
};

/// A dataset whose ledger and name are known; the rest as above.
struct KnownPlace {
  std::string ledger, dataset;
  std::optional<data::Schema> schema = {};
  std::optional<DataPlace> data = {};
  std::optional<std::string> on_behalf_of = {};
};
/// The path of the ledger: the one given, or the schema's. Refuses a place without one, and
/// ":memory:", because such a ledger forgets its charges.
Result<std::string> ledger_path(const DatasetPlace& place);
/// The place with the ledger and the dataset that are given, or the schema's. Refuses a place
/// without one of them.
Result<KnownPlace> known_place(DatasetPlace place);

/// A dataset with a budget: its ledger, its rows and whoever asks.
class Dataset {
 public:
  /// NotFound if there is no ledger, or no such dataset in it.
  static Result<Dataset> open(DatasetPlace place, Context context = {});
  /// A template, so that g++ 12 does not take {.ledger = ..., .data = ...} for a string.
  template <std::convertible_to<std::string> Path>
  static Result<Dataset> open(const Path& ledger, Context context = {}) {
    return open(DatasetPlace{.ledger = std::string(ledger)}, std::move(context));
  }

  /// The remaining budget, in total and for the asking analyst. Ledgers of older formats are read
  /// too.
  Result<BudgetSummary> budget() const;

  const KnownPlace& place() const { return place_; }
  const Context& context() const { return context_; }
  KeptLedger& kept() const { return *kept_; }

 private:
  Dataset(KnownPlace place, Context context) : place_(std::move(place)), context_(std::move(context)) {}
  KnownPlace place_;
  Context context_;
  std::shared_ptr<KeptLedger> kept_ = std::make_shared<KeptLedger>();
};

}  // namespace tacet
