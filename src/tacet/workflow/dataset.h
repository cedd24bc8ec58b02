// tacet/workflow/dataset.h: a dataset that has a budget: where its ledger is, who asks, and where its rows are.
//
//   Dataset patients = *Dataset::open("patients.ledger", {.analyst = "team-3"});
//   BudgetSummary budget = *patients.budget();
//   Published<CountRelease> table = *release_counts(patients, {...});      // workflow/release/release_counts.h
//
// A Dataset is a handle: it holds no rows and no part of the budget. Every release reads the terms
// from the ledger once, and what is public comes from them, never from the request.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/workflow/budget_summary.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/memory_table.h"

namespace tacet {

/// Where rows are: the path of a file, or a table in memory.
using DataPlace = std::variant<std::string, MemoryTable>;

/// Which dataset of which ledger.
struct DatasetPlace {
  std::string ledger = {};                       // its path; empty: the schema's
  std::string dataset = {};                      // empty: the schema's, or the only one
  std::optional<data::Schema> schema = {};       // as it came with a request: it must agree with the terms
  std::optional<DataPlace> data = {};            // the rows; nothing: the source in the terms
  std::optional<std::string> on_behalf_of = {};  // the analyst who is charged; only the custodian may name another
};

/// With the ledger and the dataset of its schema, where it names none itself. Refuses a place
/// without a ledger, and ":memory:": such a ledger forgets what was spent.
Result<DatasetPlace> completed(DatasetPlace place);

class Dataset {
 public:
  /// NotFound where there is no ledger or it has no such dataset.
  static Result<Dataset> open(DatasetPlace place, Context context = {});
  static Result<Dataset> open(const std::string& ledger, Context context = {}) {
    return open(DatasetPlace{.ledger = ledger}, std::move(context));
  }

  /// What remains, in all and for whoever asks. Ledgers of older formats are read too.
  Result<BudgetSummary> budget() const;

  const DatasetPlace& place() const { return place_; }
  const Context& context() const { return context_; }

 private:
  Dataset(DatasetPlace place, Context context) : place_(std::move(place)), context_(std::move(context)) {}
  DatasetPlace place_;
  Context context_;
};

}  // namespace tacet
