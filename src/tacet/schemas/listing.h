// tacet/schemas/listing.h: the tables and columns of a data file, for a custodian who writes its schema. Reads names and types, and no row.
//
//   FileListing listing = *list_columns(file, schema);       // by the schema's dialect and table
//   listing.columns[0].name;
//
// A process of its own reads the file (data/scan.h). Names are the file's own text: show them in quotes.
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
  std::string type;  // VARCHAR, STRUCT, ...; empty for CSV files, which have none
};

struct FileListing {
  std::string table;     // of a DuckDB file, as a schema writes it
  char delimiter = ',';  // by which the names of a CSV file were parted
  std::vector<ListedColumn> columns;
};

/// Errors name the tables of the file where the schema has to name one.
Result<FileListing> list_columns(const data::DataFile& file, const data::Schema& schema);

/// What else may part the fields of a CSV file whose first line is one field: the first of ; tab | , that it holds. Nothing for other files.
std::optional<char> likely_delimiter(const data::DataFile& file, const FileListing& listing);
/// The same as a remedy: its first line is one field that holds ";"; if that parts the columns, write under [csv]: delimiter = ";".
std::string delimiter_hint(const data::DataFile& file, const FileListing& listing);

}  // namespace tacet::schemas
