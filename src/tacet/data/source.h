// tacet/data/source.h: the columns of a data file by name, type and position, before any row is read. Private to the data room.
//
//   Source source = *Source::open(file, schema, threads);
//   std::size_t at = *source.position("smoking");   // or an error that names the column
//
// For CSV files the names come from the header line (or from the schema, where it says that there is none), by our own reader; the
// other kinds are opened by the embedded engine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/csv_reader.h"
#include "tacet/data/data_file.h"
#include "tacet/data/engine.h"
#include "tacet/data/schema.h"

namespace tacet::data {

struct CsvSource {
  CsvReader reader;  // at the first row
  std::vector<std::string> names;
  static Result<CsvSource> open(const DataFile& file, const CsvDialect& dialect, const std::vector<std::string>& declared);
};

struct EngineSource {
  Engine engine;
  std::string sql;    // what may follow FROM
  std::string table;  // of a DuckDB file, as a schema writes it
  std::vector<EngineColumn> columns;
  /// Memory: see Engine::open.
  static Result<EngineSource> open(const DataFile& file, const std::optional<std::string>& table, unsigned threads,
                                   std::optional<unsigned> memory = {});
};

/// Where `name` stands among the file's columns: exactly once, or it is an error, which lists none of the file's own names
/// (of a CSV file without header line they are the values of a person).
Result<std::size_t> position(const std::vector<std::string>& names, const std::string& name, const DataFile& file);

}  // namespace tacet::data
