// tacet/data/source.h: the columns of a data file by name, type and position. Private to data.
//
//   CsvSource source = *CsvSource::open(file, schema);
//   source.columns[0].name;
// Reads no row. The names of a CSV file come from its header line, or from the schema if there is
// none; the embedded engine opens the other kinds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/data/csv_reader.h"
#include "tacet/data/data_file.h"
#include "tacet/data/engine.h"
#include "tacet/data/fault.h"
#include "tacet/data/schema.h"

namespace tacet::data {

struct CsvSource {
  CsvReader reader;  // at the first row
  std::vector<SourceColumn> columns;
  static Scanning<CsvSource> open(const DataFile& file, const Schema& schema);
};

struct EngineSource {
  Engine engine;
  std::vector<std::string> tables;  // of a DuckDB file, in the notation of schemas
  std::string sql;                  // what may follow FROM; empty unless one table is as declared
  /// Memory: see Engine::open.
  static Scanning<EngineSource> open(const DataFile& file, const Schema& schema, unsigned threads, std::optional<unsigned> memory);
};

/// What is known about a file before there is a schema for it.
struct Listing {
  std::vector<std::string> tables;  // of a DuckDB file, in the notation of schemas
  // Name and type; empty if the table is ambiguous. CSV files have no types.
  std::vector<std::pair<std::string, std::string>> columns;
};
Scanning<Listing> list(const DataFile& file, const Schema& schema);

}  // namespace tacet::data
