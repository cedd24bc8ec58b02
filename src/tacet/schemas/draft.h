// tacet/schemas/draft.h: a schema for the custodian to complete, from the names and types of the columns only.
//
//   std::string toml = *draft_schema(file, "patients");
//
// No row is read: categories and bounds are left as comments that say what to fill in, and until then a column cannot be used.
// A CSV file has no types, and its names are its first line; the draft says so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"

namespace tacet::schemas {

/// `table` names the table of a DuckDB file that holds several.
Result<std::string> draft_schema(const data::DataFile& file, const std::string& dataset, const std::optional<std::string>& table = {});

}  // namespace tacet::schemas
