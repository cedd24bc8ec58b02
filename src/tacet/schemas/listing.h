// tacet/schemas/listing.h: the tables and columns of a data file, to write its schema.
//
//   FileListing listing = *list_columns(file, schema);       // dialect and table of the schema
//   listing.columns[0].name;
//
// tacet-look reads names and types, and no row (profile/look_process.h). Names are text from the
// file: show them in quotes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

struct ListedColumn {
  std::string name;
  std::string type;  // VARCHAR, STRUCT, ...; empty for CSV files
};

struct FileListing {
  std::string table;     // of a DuckDB file, in the notation of schemas
  char delimiter = ',';  // between the names of a CSV file
  std::vector<ListedColumn> columns;
};

/// If the schema must name a table, the error lists the tables of the file.
Result<FileListing> list_columns(const data::DataFile& file, const data::Schema& schema);

/// Another likely delimiter of a CSV file whose first line is one field: the first of ; tab | , in
/// it. Empty for other files.
std::optional<char> likely_delimiter(const data::DataFile& file, const FileListing& listing);
/// The same as a remedy: its first line is one field that holds ";"; if that parts the columns,
/// write under [csv]: delimiter = ";".
std::string delimiter_hint(const data::DataFile& file, const FileListing& listing);

}  // namespace tacet::schemas
