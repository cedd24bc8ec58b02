// bench/plain_engine.h: DuckDB asked in plain SQL, for benchmarks to compare with.
//
//   bench::PlainEngine engine("ATTACH 'people.duckdb' AS people (READ_ONLY)");
//   engine.run("SELECT count(*) FROM people.people");
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <thread>

#include <duckdb.h>
#include <fmt/format.h>

#include "measure.h"

namespace tacet::bench {

class PlainEngine {
 public:
  /// With a thread for each processor; `attach` is run first.
  explicit PlainEngine(const std::string& attach = {}) {
    if (duckdb_open(nullptr, &database_) != DuckDBSuccess || duckdb_connect(database_, &connection_) != DuckDBSuccess)
      fail("cannot open DuckDB");
    run(fmt::format("SET threads = {}", std::max(1U, std::thread::hardware_concurrency())));
    if (!attach.empty()) run(attach);
  }
  ~PlainEngine() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  PlainEngine(const PlainEngine&) = delete;
  PlainEngine& operator=(const PlainEngine&) = delete;
  void run(const std::string& query) {
    duckdb_result result;
    if (duckdb_query(connection_, query.c_str(), &result) != DuckDBSuccess) fail(duckdb_result_error(&result));
    duckdb_destroy_result(&result);
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace tacet::bench
