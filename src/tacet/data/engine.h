// tacet/data/engine.h: the embedded DuckDB, shut in with one file. Private to the data room.
//
//   Engine engine = *Engine::open({file.descriptor_path()}, /*threads=*/2);
//   std::vector<EngineColumn> columns = *engine.columns(source);
//   Scanning<std::int64_t> rows = engine.fold(source, columns.size(), numbers, coded, plan, into, progress);
//
// A fresh engine in memory for every request: no extension is installed or loaded, no secret is read, nothing is spilled to disk,
// no file is opened but the one named, and then its configuration is locked.
// What DuckDB says of a failure goes nowhere, since it quotes data.
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
  /// Memory: what the engine may hold, in MiB, where less than usual will do; it keeps blocks of a DuckDB file for as long as there is room,
  /// and we read them only once.
  static Scanning<Engine> open(const std::vector<std::string>& paths, unsigned threads, std::optional<unsigned> memory = {});

  bool run(const std::string& statement);
  /// All rows of a small result, each of whose values is a text and not NULL.
  Scanning<std::vector<std::vector<std::string>>> rows(const std::string& query);
  /// The columns of a source (sql.h); reads no row.
  Scanning<std::vector<EngineColumn>> columns(const std::string& source);
  /// Adds what `plan` makes of every row of the source to `into`, and gives DuckDB's own count of the rows. `numbers` are positions of
  /// columns that hold numbers, `coded` are the columns of the plan's axes.
  Scanning<std::int64_t> fold(const std::string& source, std::size_t width, const std::vector<std::size_t>& numbers,
                              const std::vector<sql::CodedColumn>& coded, const RowPlan& plan, MomentSums& into, const Progress& progress);

 private:
  struct Handles;
  explicit Engine(std::shared_ptr<Handles> handles);
  std::shared_ptr<Handles> handles_;
};

}  // namespace tacet::data
