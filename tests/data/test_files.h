// tests/data/test_files.h: files for the tests of the data room, written as text or by DuckDB
// itself, in a folder that goes away.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <duckdb.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/data/counts.h"
#include "tacet/data/sql.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_text.h"

#include "support/declared.h"
#include "support/opened.h"

namespace tacet::data {

class TestFolder {
 public:
  TestFolder() {
    static std::atomic<int> number = 0;
    folder_ = std::filesystem::temp_directory_path() / fmt::format("tacet-data-test-{}-{}", ::getpid(), ++number);
    std::filesystem::create_directories(folder_);
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

inline std::string read_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Runs the statements in a DuckDB of their own; any failure fails the test.
inline void run_duckdb(const std::vector<std::string>& statements, const std::string& database = "") {
  duckdb_database db = nullptr;
  duckdb_connection connection = nullptr;
  ASSERT_EQ(duckdb_open(database.empty() ? nullptr : database.c_str(), &db), DuckDBSuccess);
  ASSERT_EQ(duckdb_connect(db, &connection), DuckDBSuccess);
  for (const std::string& statement : statements) {
    duckdb_result result;
    const duckdb_state state = duckdb_query(connection, statement.c_str(), &result);
    EXPECT_EQ(state, DuckDBSuccess) << statement << "\n" << duckdb_result_error(&result);
    duckdb_destroy_result(&result);
  }
  duckdb_disconnect(&connection);
  duckdb_close(&db);
}

/// The rows of a query as a Parquet file.
inline void write_parquet(const std::string& query, const std::string& path) {
  run_duckdb({fmt::format("COPY ({}) TO {} (FORMAT parquet)", query, sql::literal(path))});
}

/// A schema with the given lines after the fixed ones.
inline Schema schema_with(const std::string& lines) {
  Result<Schema> schema = schemas::parse_schema("tacet = 1\ndataset = \"d\"\nledger = \"d.ledger\"\n" + lines, false, "");
  EXPECT_TRUE(schema.ok()) << (schema.ok() ? "" : schema.error().message());
  return *std::move(schema);
}

/// The same lines under add-or-remove-one, where no membership is public.
inline std::string under_add_or_remove_one(std::string lines) {
  const std::string line = "membership = \"public\"\n";
  for (std::size_t at = lines.find(line); at != std::string::npos; at = lines.find(line)) lines.erase(at, line.size());
  return "neighbours = \"add-or-remove-one\"\n" + lines;
}

using Counts = std::vector<std::int64_t>;

inline Result<CountTable> try_count(const std::string& path, const Schema& schema, const std::vector<std::string>& by,
                                    const CountOptions& options = {}) {
  Result<DataFile> file = schemas::open_data(path);
  if (!file.ok()) return std::move(file).error();
  return count(*file, test::declared(schema), {.by = by}, options);
}

inline Counts counted(const std::string& path, const Schema& schema, const std::vector<std::string>& by, const CountOptions& options = {}) {
  Result<CountTable> table = try_count(path, schema, by, options);
  EXPECT_TRUE(table.ok()) << (table.ok() ? "" : table.error().message());
  if (!table.ok()) return {};
  return test::opened(std::move(table->counts));
}

/// Every word of an error, in case one of them should leak.
inline std::string everything(const Error& error) {
  return fmt::format("{}|{}|{}|{}|{}|{}", error.message(), error.name(), error.value(), error.rule(), error.remedy(), error.spent());
}

}  // namespace tacet::data
