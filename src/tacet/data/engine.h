// tacet/data/engine.h: the embedded DuckDB, confined to one file. Private to the data room.
//
//   Engine engine = *Engine::open({"/proc/self/fd/3"}, /*threads=*/2);
//   std::vector<SourceColumn> found = *engine.columns(source);
//   Scanning<std::int64_t> rows = engine.fold(source, found, plan, sums, Progress{});
//
// Each request has a new engine in memory: it loads no extension, reads no secret, writes nothing
// to disk and opens only the named file; its messages are discarded, because they quote data.
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

class Engine {
 public:
  /// `memory`: a smaller limit in MiB, because the engine caches blocks that we read only once.
  static Scanning<Engine> open(const std::vector<std::string>& paths, unsigned threads, std::optional<unsigned> memory = {});

  bool run(const std::string& statement);
  /// All rows of a small result; every value is a text and not NULL.
  Scanning<std::vector<std::vector<std::string>>> rows(const std::string& query);
  /// The columns of a source (sql.h); reads no row.
  Scanning<std::vector<SourceColumn>> columns(const std::string& source);
  /// Adds all rows of the source to `into` and returns DuckDB's own count of the rows.
  Scanning<std::int64_t> fold(const std::string& source, const std::vector<SourceColumn>& columns, const RowPlan& plan, MomentSums& into,
                              const Progress& progress);

 private:
  struct Handles;
  explicit Engine(std::shared_ptr<Handles> handles);
  std::shared_ptr<Handles> handles_;
};

}  // namespace tacet::data
