// tacet/data/engine.h: the embedded DuckDB, confined to one file. Private to the data room.
//
//   Engine engine = *Engine::open({file.descriptor_path()}, /*threads=*/2);
//   std::vector<EngineColumn> columns = *engine.columns(source);
//   Scanning<std::int64_t> rows = engine.fold(source, columns.size(), numbers, coded, plan, ...);
//
// Each request has a new engine in memory: it installs and loads no extension, reads no secret,
// writes nothing to disk and opens only the named file; then its configuration is locked. Its
// messages are discarded, because they quote data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacet/data/fault.h"
#include "tacet/data/row_fold.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/sql.h"

namespace tacet::data {

struct EngineColumn {
  std::string name;
  bool is_text;        // VARCHAR
  bool has_text;       // its values can be compared by their text
  bool holds_numbers;  // its values can be read as numbers
  bool is_single;      // FLOAT
};

class Engine {
 public:
  /// `memory`: a smaller limit in MiB, because the engine caches blocks that we read only once.
  static Scanning<Engine> open(const std::vector<std::string>& paths, unsigned threads, std::optional<unsigned> memory = {});

  bool run(const std::string& statement);
  /// All rows of a small result; every value is a text and not NULL.
  Scanning<std::vector<std::vector<std::string>>> rows(const std::string& query);
  /// The columns of a source (sql.h); reads no row.
  Scanning<std::vector<EngineColumn>> columns(const std::string& source);
  /// Adds all rows of the source to `into`, by `plan`, and returns DuckDB's own count of the rows.
  /// `numbers` are positions of number columns, `coded` the columns of the axes of the plan.
  Scanning<std::int64_t> fold(const std::string& source, std::size_t width, const std::vector<std::size_t>& numbers,
                              const std::vector<sql::CodedColumn>& coded, const RowPlan& plan, MomentSums& into, const Progress& progress);

 private:
  struct Handles;
  explicit Engine(std::shared_ptr<Handles> handles);
  std::shared_ptr<Handles> handles_;
};

}  // namespace tacet::data
