// tacet/schemas/draft.h: a schema for the custodian to complete, from the names and types of the columns only.
//
//   Draft draft = *draft_schema(file, "patients");
//   draft.toml;
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

struct Draft {
  std::string toml;
  std::string warning;  // why it is perhaps not what was wanted: the delimiter seems to be another one; empty if nothing is odd
};

struct DraftOptions {
  std::optional<std::string> table{};  // of a DuckDB file that holds several
  std::optional<char> delimiter{};     // of a CSV file, if not the one that its name tells
};

Result<Draft> draft_schema(const data::DataFile& file, const std::string& dataset, const DraftOptions& options = {});

}  // namespace tacet::schemas
