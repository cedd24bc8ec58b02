// tacet/schemas/check_columns.h: does a file have the columns that a schema declares? Reads names, and no row.
//
//   ColumnCheck check = *check_columns(file, schema);
//   check.missing;                                   // {"age"}
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

struct ColumnCheck {
  std::size_t found = 0;              // how many declared columns the file has, once each
  std::vector<std::string> missing;   // those it does not have
  std::vector<std::string> repeated;  // those it has more than once
  std::string hint;                   // a delimiter that the schema should perhaps name (listing.h)
};

/// Of the columns with categories or bounds; the others are never read.
Result<ColumnCheck> check_columns(const data::DataFile& file, const data::Schema& schema);

}  // namespace tacet::schemas
