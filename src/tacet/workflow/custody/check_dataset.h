// tacet/workflow/custody/check_dataset.h: do the schema, the terms and the source agree?
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const Dataset patients = *Dataset::open({.schema = schema});
//   const DatasetCheck check = *check_dataset(patients);
//   for (const std::string& finding : check.findings) show(finding);
//
// The schema of the place is compared with the terms. The declared columns are looked for in the
// data of the place or, where it has none, in the source of the terms.
//
// Error    NotFound without a ledger or a budget; SchemaInvalid for terms without a schema. What
//          does not agree is a finding, never an error.
// Cost     reads names and types of columns, and no row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/dataset.h"

namespace tacet {

struct DatasetCheck {
  std::string dataset;
  std::string ledger;                 // its path
  std::optional<std::string> source;  // what was looked at; nothing where none is named
  std::vector<std::string> findings;  // in words

  bool agrees() const { return findings.empty(); }
};

Result<DatasetCheck> check_dataset(const Dataset& dataset);

}  // namespace tacet
