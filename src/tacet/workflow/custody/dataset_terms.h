// tacet/workflow/custody/dataset_terms.h: the public facts about a dataset, and its budget.
//
//   const DatasetTerms terms = *dataset_terms(*Dataset::open("patients.ledger"));
//   terms.terms.declared().relation;           // the neighbours
//   if (terms.schema) terms.schema->names();   // the columns
//
// Error    NotFound without a ledger or a budget; Unsupported for ledgers of older formats.
// Cost     reads and checks the ledger once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/workflow/dataset.h"

namespace tacet {

/// The terms of a dataset, and the schema in them.
struct DatasetTerms {
  std::string ledger;  // its path
  kernel::Terms terms;
  std::optional<data::Schema> schema;  // empty: the budget was created without one
};

/// The terms as the ledger keeps them.
Result<DatasetTerms> dataset_terms(const Dataset& dataset);

}  // namespace tacet
