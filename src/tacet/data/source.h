// tacet/data/source.h: the columns of a file by name, type and position. Private to data.
//
//   CsvSource source = *open_csv(file, schema);                 // its reader is at the first row
//
// Reads no row. Names come from the header line, or from the schema if there is none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/data/csv_reader.h"
#include "tacet/data/engine.h"

namespace tacet::data {

struct CsvSource {
  CsvReader reader;
  std::vector<SourceColumn> columns;
};
Scanning<CsvSource> open_csv(const DataFile& file, const Schema& schema);

struct EngineSource {
  Engine engine;
  std::vector<std::string> tables;  // of a DuckDB file, in the notation of schemas
  std::string sql;                  // what may follow FROM; empty unless one table is as declared
};
/// Memory: see Engine::open.
Scanning<EngineSource> open_engine(const DataFile& file, const Schema& schema, unsigned threads, std::optional<unsigned> memory);

}  // namespace tacet::data
