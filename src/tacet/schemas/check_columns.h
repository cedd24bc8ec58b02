// tacet/schemas/check_columns.h: does a source have the columns of a schema? Reads no row.
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
  std::size_t found = 0;              // number of declared columns that occur exactly once
  std::vector<std::string> missing;   // declared, but not in the source
  std::vector<std::string> repeated;  // more than once in the source
  std::string hint;                   // another delimiter to try (listing.h)
};

/// Checks the columns with categories or bounds, and the one that names people; the others are
/// never read.
ColumnCheck check_columns(const std::vector<std::string>& names, const data::Schema& schema);
Result<ColumnCheck> check_columns(const data::DataFile& file, const data::Schema& schema);

}  // namespace tacet::schemas
