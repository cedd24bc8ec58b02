// tacet/schemas/check_columns.h: does a file have the columns that a schema declares? Reads names, and no row.
//
//   std::optional<std::string> missing = *first_missing_column(file, schema);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

/// The first declared column that the file does not have; nothing if it has them all.
Result<std::optional<std::string>> first_missing_column(const data::DataFile& file, const data::Schema& schema);

}  // namespace tacet::schemas
