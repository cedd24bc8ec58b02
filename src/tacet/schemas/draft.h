// tacet/schemas/draft.h: drafts a schema from the names and types of the columns, or from rows.
//
//   Draft draft = *draft_schema(file, "patients");
//   draft.toml;
//   draft = *draft_schema(file, "patients", {.from_data = true});     // for the custodian alone
//
// Unless it is asked for, no row is read: categories and bounds are comments for the custodian to
// fill in; until then a column cannot be used. A CSV file has no types, and its names are its first
// line; the draft says so. From data, columns have proposals that wait for a person to confirm them
// (profile/proposals.h), and the draft shows data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"

namespace tacet::schemas {

struct Draft {
  std::string toml;
  std::string warning;        // another delimiter seems likely; otherwise empty
  std::size_t proposals = 0;  // columns that wait to be confirmed
};

struct DraftOptions {
  std::optional<std::string> table{};  // of a DuckDB file with several tables
  std::optional<char> delimiter{};     // of a CSV file, if not the one of its name
  bool from_data = false;              // reads the rows, and proposes from them
};

Result<Draft> draft_schema(const data::DataFile& file, const std::string& dataset, const DraftOptions& options = {});

}  // namespace tacet::schemas
