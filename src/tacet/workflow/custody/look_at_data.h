// tacet/workflow/custody/look_at_data.h: looks at the rows of a dataset, as its custodian.
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const Dataset patients = *Dataset::open({.schema = schema, .data = "patients.csv"});
//   const DataLook look = *look_at_data(patients);
//   for (const std::string& sentence : look.advice) show(sentence);
//
// How many rows of each column count as `other`, are missing, beyond a bound, or no number; which
// categories never occur, and which texts do; how many rows of people are dropped. All of it is
// data without noise. Nothing is written and nothing is spent: it leaves no entry in the history,
// because whoever may do it can open the file with any other program.
//
// Domain   with a budget: its custodian, where the custodian's key is; before there is a budget:
//          whoever can read the file, unless it is the source of another custodian's dataset.
// Error    InvalidArgument for anybody else; NotFound without rows; as of schemas/profile/look.h.
// Cost     one pass; see schemas/profile/look.h.
// Checked  tests/attacks/only_the_custodian_test.cc, tests/workflow/look_at_data_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/schemas/profile/profile.h"
#include "tacet/workflow/dataset.h"

namespace tacet {

/// What the rows hold against what is declared. For the custodian alone.
struct DataLook {
  schemas::FileProfile profile;
  std::vector<std::string> advice;  // in words, with texts and counts of the data
};

/// Looks at the source of the terms, or at the data of the place. The terms declare the columns if
/// there is a budget, otherwise the schema of the place.
Result<DataLook> look_at_data(const Dataset& dataset);

/// Refuses anybody but the custodians of the datasets of this source, as far as their ledgers are
/// known here (source_register.h).
Status check_custodian_of_source(const std::string& source, const std::string& asker);

}  // namespace tacet
