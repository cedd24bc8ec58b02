// tacet/schemas/draft.h: drafts a schema from the names and types of the columns only.
//
//   Draft draft = *draft_schema(file, "patients");
//   draft.toml;
//
// No row is read. Categories and bounds are comments for the custodian to fill in; until then a
// column cannot be used. A CSV file has no types, and its names are its first line; the draft says
// so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"

namespace tacet::schemas {

struct Draft {
  std::string toml;
  std::string warning;  // another delimiter seems likely; otherwise empty
};

struct DraftOptions {
  std::optional<std::string> table{};  // of a DuckDB file with several tables
  std::optional<char> delimiter{};     // of a CSV file, if not the one of its name
};

Result<Draft> draft_schema(const data::DataFile& file, const std::string& dataset, const DraftOptions& options = {});

}  // namespace tacet::schemas
