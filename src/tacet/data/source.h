// tacet/data/source.h: the columns of a data file by name, type and position, before any row is read. Private to the data room.
//
//   CsvSource source = *CsvSource::open(file, schema);
//   std::size_t at = *position(source.names, "smoking", 0);   // or the fault of column 0
//
// For CSV files the names come from the header line (or from the schema, where it says that there is none), by our own reader; the
// other kinds are opened by the embedded engine.
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
  std::vector<std::string> names;
  static Scanning<CsvSource> open(const DataFile& file, const Schema& schema);
};

struct EngineSource {
  Engine engine;
  std::string sql;  // what may follow FROM
  std::vector<EngineColumn> columns;
  std::vector<std::string> names;
  /// Memory: see Engine::open.
  static Scanning<EngineSource> open(const DataFile& file, const Schema& schema, unsigned threads, std::optional<unsigned> memory);
};

/// Where the name stands among the file's columns: exactly once, or it is the fault of the column `asked`.
Scanning<std::size_t> position(const std::vector<std::string>& names, const std::string& name, std::size_t asked);

/// What a person may want to know of a file before there is a schema for it.
struct Listing {
  std::vector<std::string> tables;                           // of a DuckDB file, as a schema writes them
  std::vector<std::pair<std::string, std::string>> columns;  // name and type; none where the table is in doubt, no types of CSV files
};
Scanning<Listing> list(const DataFile& file, const Schema& schema);

}  // namespace tacet::data
