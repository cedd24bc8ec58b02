// tacet/workflow/custody/check_dataset.h: compares the schema, the terms and the source.
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const Dataset patients = *Dataset::open({.schema = schema});
//   const DatasetCheck check = *check_dataset(patients);
//   for (const std::string& finding : check.findings) show(finding);
//
// The schema of the place is compared with the terms. The declared columns are looked up in the
// data of the place or, if it has none, in the source of the terms. Before there is a budget, a
// schema is compared with the data alone. look_at_data.h looks at the rows.
//
// Error    NotFound without a budget, unless there are a schema and data; SchemaInvalid for terms
//          without a schema. A disagreement is a finding, never an error.
// Cost     reads names and types of columns, and no row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/declared.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/workflow/dataset.h"

namespace tacet {

/// Every way in which a schema or a data file differs from the terms.
struct DatasetCheck {
  std::string dataset;
  std::string ledger;                 // its path
  std::optional<std::string> source;  // the checked file or table; nothing if none is known
  std::vector<std::string> findings;  // in words
  bool budget = true;                 // false: there is none yet

  bool agrees() const { return findings.empty(); }
};

/// Compares a schema and the data file with the terms. Reads no row.
Result<DatasetCheck> check_dataset(const Dataset& dataset);

/// What declares the columns of a dataset: its terms, or its schema before there is a budget.
struct DeclaredPlace {
  data::Schema schema;
  std::optional<std::string> source;
  std::optional<kernel::BudgetState> state;  // nothing: there is no budget yet
  std::optional<data::Declared> terms;
};
Result<DeclaredPlace> declared_place(const Dataset& dataset);

}  // namespace tacet
