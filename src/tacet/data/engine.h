// tacet/data/engine.h: the embedded DuckDB, shut in with one file. Private to the data room.
//
//   Engine engine = *Engine::open({file.descriptor_path()}, in_quotes(file.path()), /*threads=*/0);
//   std::vector<EngineColumn> columns = *engine.columns(source);
//   Result<std::int64_t> rows = engine.tally(source, columns.size(), coded, coders, shape, into, progress);
//
// A fresh engine in memory for every request: no extension is installed or loaded, no secret is read, nothing is spilled to disk,
// no file is opened but the one named, and then its configuration is locked.
// Errors never carry what DuckDB says, since that quotes data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/coder.h"
#include "tacet/data/number_column.h"
#include "tacet/data/row_fold.h"
#include "tacet/data/sql.h"
#include "tacet/data/tally.h"

namespace tacet::data {

/// Who is told how far a scan is, and when. Always called from the thread that asked for the scan.
struct Progress {
  std::function<void(double)> tell;      // the fraction done, from 0 to 1; none: nobody is told
  std::chrono::milliseconds after{500};  // a scan that is over by then is never spoken of
  std::chrono::milliseconds every{100};
};

/// What a type is to a schema. Nested: no text of a value is agreed on, so it cannot be tabulated.
enum class ColumnType : std::uint8_t { Text, Boolean, Whole, Fraction, Moment, Bytes, Nested };

struct EngineColumn {
  std::string name;
  ColumnType type;
  std::string type_name;             // as DuckDB writes it: VARCHAR, STRUCT, ...
  std::optional<NumberKind> number;  // where its values can be read as numbers
};

/// A categorical column by which rows are put into groups.
struct Grouping {
  sql::CodedColumn column;
  const Coder& coder;
};

class Engine {
 public:
  /// `shown` is the file's name in messages. Threads: 0 for as many as the machine has. Memory: what the engine may hold, in MiB, where
  /// less than usual will do; it keeps blocks of a DuckDB file for as long as there is room, and we read them only once.
  static Result<Engine> open(const std::vector<std::string>& paths, const std::string& shown, unsigned threads,
                             std::optional<unsigned> memory = {});

  Status run(const std::string& statement);
  /// All rows of a small result, as text.
  Result<std::vector<std::vector<std::string>>> rows(const std::string& query);
  /// Names and types of the columns of a source (sql.h); reads no row.
  Result<std::vector<EngineColumn>> columns(const std::string& source);
  /// Adds every row of the source to `into`, and gives DuckDB's own count of the rows.
  Result<std::int64_t> tally(const std::string& source, std::size_t width, const std::vector<sql::CodedColumn>& coded,
                             const std::vector<Coder>& coders, const TableShape& shape, Tally& into, const Progress& progress);
  /// Adds the integers that `plan` makes of every row of the source to `into`, and gives DuckDB's own count of the rows. `numbers` are
  /// positions of columns that can be read as numbers.
  Result<std::int64_t> fold(const std::string& source, std::size_t width, const std::vector<std::size_t>& numbers,
                            const std::optional<Grouping>& grouping, const RowPlan& plan, MomentSums& into, const Progress& progress);

 private:
  struct Handles;
  /// Runs a query of one aggregate of ours and count(*), and gives the latter if the aggregate was finished exactly once.
  Result<std::int64_t> aggregate(const std::string& query, const std::atomic<int>& finalized, const Progress& progress);
  Engine(std::shared_ptr<Handles> handles, std::string shown);
  std::shared_ptr<Handles> handles_;
  std::string shown_;
};

}  // namespace tacet::data
