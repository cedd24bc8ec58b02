// The same rows as CSV, Parquet, a DuckDB table and the Arrow arrays that DuckDB itself makes of
// them.
#include <deque>
#include <string>
#include <vector>

#include <duckdb.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/data/scan.h"
#include "tacet/schemas/data_path.h"
#include "tacet/workflow/memory_table.h"

#include "data/test_files.h"
#include "workflow/arrow_arrays.h"

namespace tacet {
namespace {

using data::ScanRequest;

/// Values of every type: missing, out of range, not numbers, and numbers where their text is
/// compared.
const char* const kRows = R"(SELECT
  ['never', 'former', 'current', 'pipe', 'naïve, "quoted"', 'a text longer than twelve bytes', NULL][1 + (hash(i) % 7)::INT] AS txt,
  CASE WHEN i % 11 = 0 THEN NULL ELSE ['a', 'b', 'c'][1 + (hash(i + 1) % 3)::INT]::ENUM('a', 'b', 'c') END AS level,
  CASE WHEN i % 5 = 0 THEN NULL ELSE hash(i + 2) % 2 = 0 END AS flag,
  ((hash(i + 3) % 5)::INT - 2)::TINYINT AS small_code,
  ['0.1', '-0.0', '1e22', '100.0', 'nan', 'inf', '1e-7', '123456789.125'][1 + (hash(i + 4) % 8)::INT]::DOUBLE AS real_code,
  ['0.1', '-0.0', '1e22', '16777216.0', '3.4e38'][1 + (hash(i + 5) % 5)::INT]::FLOAT AS single_code,
  (hash(i + 6) % 300 / 100.0)::DECIMAL(9, 2) AS price_code,
  DATE '2024-02-27' + (hash(i + 7) % 4)::INT AS day,
  CASE WHEN i % 13 = 0 THEN NULL ELSE ((hash(i + 8) % 256)::INT - 128)::TINYINT END AS i8,
  (hash(i + 9) % 256)::UTINYINT AS u8,
  ((hash(i + 10) % 65536)::INT - 32768)::SMALLINT AS i16,
  (hash(i + 11) % 65536)::USMALLINT AS u16,
  ((hash(i + 12) % 4294967296)::BIGINT - 2147483648)::INTEGER AS i32,
  (hash(i + 13) % 4294967296)::UINTEGER AS u32,
  CASE WHEN i % 3 = 0 THEN 9223372036854775807 ELSE (hash(i + 14) % 1000)::BIGINT END AS i64,
  hash(i + 15)::UBIGINT AS u64,
  CASE WHEN i % 97 = 0 THEN 'nan' WHEN i % 101 = 0 THEN 'inf' WHEN i % 103 = 0 THEN '-inf' WHEN i % 89 = 0 THEN '-0.0'
       WHEN i % 17 = 0 THEN '-999' WHEN i % 19 = 0 THEN NULL ELSE ((hash(i + 16) % 4000) / 7.0 - 50)::VARCHAR END::DOUBLE AS dbl,
  CASE WHEN i % 23 = 0 THEN NULL ELSE ((hash(i + 17) % 3000) / 8.0)::FLOAT END AS flt,
  CASE WHEN i % 29 = 0 THEN NULL ELSE (hash(i + 18) % 100000 / 100.0 - 300)::DECIMAL(9, 2) END AS dec,
  ((hash(i + 19) % 1000000)::DECIMAL(30, 10) / 7)::DECIMAL(30, 10) AS big,
  ['12', '7.5', '12 mg', '1,000', ' 8 ', '1e2', 'NaN', '-inf', 'x', '+3', NULL][1 + (hash(i + 20) % 11)::INT] AS mixed
FROM range(5000) AS r(i))";

std::string schema_lines() {
  std::string lines = R"(
[columns.txt]
categories = ["never", "former", "naïve, \"quoted\"", "a text longer than twelve bytes"]
[columns.level]
categories = ["a", "b"]
[columns.flag]
categories = ["true", "false"]
[columns.small_code]
categories = ["-2", "-1", "0", "1"]
[columns.real_code]
categories = ["0.1", "-0.0", "1e22", "1e+22", "100.0", "nan", "inf", "1e-07", "123456789.125"]
[columns.single_code]
categories = ["0.1", "-0.0", "1e22", "1e+22", "16777216.0", "3.4e38", "3.4e+38"]
[columns.price_code]
categories = ["0.00", "0.07", "2.50", "1.00"]
[columns.day]
categories = ["2024-02-28", "2024-02-29", "2024-03-01"]
)";
  for (const char* name : {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "dbl", "flt", "dec", "big", "mixed"}) {
    lines += fmt::format("[columns.{}]\nlower = -100\nupper = 150\nresolution = 0.25\nmissing = 10\nmissing_values = [\"-999\", \"77\"]\n",
                         name);
  }
  return lines;
}

std::vector<ScanRequest> requests() {
  std::vector<ScanRequest> all;
  for (const char* by : {"txt", "level", "flag", "small_code", "real_code", "single_code", "price_code", "day"})
    all.push_back({.by = {by}});
  all.push_back({.by = {"txt", "level", "flag", "day"}});
  all.push_back({.numbers = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "dbl", "flt", "dec", "big", "mixed"}, .products = true});
  all.push_back(
      {.numbers = {"dbl", "mixed", "i8"}, .by = {"txt", "flag"}, .products = true, .centres = {Decimal(0), Decimal(5), Decimal(1)}});
  all.push_back(
      {.numbers = {"dbl", "dec", "mixed"},
       .clip = data::ClipRequest{.centre = {1, 2, 3}, .map = {{0.01, 0, 0.2}, {0, 1.0 / 3, 0}}, .radius = 1.5, .steps = 1 << 20}});
  return all;
}

/// What DuckDB exports for a query: a schema, and an array for each of its chunks.
class ExportedQuery {
 public:
  explicit ExportedQuery(const std::string& query, const std::vector<std::string>& settings = {}) {
    EXPECT_EQ(duckdb_open(nullptr, &database_), DuckDBSuccess);
    EXPECT_EQ(duckdb_connect(database_, &connection_), DuckDBSuccess);
    for (const std::string& setting : settings) EXPECT_EQ(duckdb_query(connection_, setting.c_str(), nullptr), DuckDBSuccess) << setting;
    EXPECT_EQ(duckdb_query(connection_, query.c_str(), &result_), DuckDBSuccess) << duckdb_result_error(&result_);
  }
  ~ExportedQuery() {
    duckdb_destroy_result(&result_);
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  ExportedQuery(const ExportedQuery&) = delete;
  ExportedQuery& operator=(const ExportedQuery&) = delete;

  ArrowArrayStream stream(test::Releases& released) {
    duckdb_arrow_options options = duckdb_result_get_arrow_options(&result_);
    std::vector<duckdb_logical_type> types;
    std::vector<const char*> names;
    for (idx_t i = 0; i < duckdb_column_count(&result_); ++i) {
      types.push_back(duckdb_column_logical_type(&result_, i));
      names.push_back(duckdb_column_name(&result_, i));
    }
    ArrowSchema schema{};
    EXPECT_EQ(duckdb_to_arrow_schema(options, types.data(), names.data(), types.size(), &schema), nullptr);
    for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
    std::deque<ArrowArray> batches;
    while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result_)) {
      EXPECT_EQ(duckdb_data_chunk_to_arrow(options, chunk, &batches.emplace_back()), nullptr);
      duckdb_destroy_data_chunk(&chunk);
    }
    duckdb_destroy_arrow_options(&options);
    EXPECT_GE(batches.size(), 3U);
    return test::exported_stream(schema, std::move(batches), released);
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  duckdb_result result_{};
};

data::StoredTable exported_by_duckdb(const std::string& rows, const std::vector<std::string>& settings = {}) {
  test::Releases released;
  ExportedQuery query(rows, settings);
  ArrowArrayStream stream = query.stream(released);
  const auto table = MemoryTable::of_arrow("t", stream);
  EXPECT_TRUE(table.ok()) << (table.ok() ? "" : table.error().message());
  return table.ok() ? table->table() : data::StoredTable{};
}

/// DuckDB 1.4 says "u" of the dictionary of an ENUM whose texts it then exports as views.
std::string without_enum(std::string rows) {
  const std::string type = "::ENUM('a', 'b', 'c')";
  return rows.erase(rows.find(type), type.size());
}

TEST(MemoryFormats, EveryFormatOfTheSameRowsGivesTheSameIntegers) {
  const data::TestFolder folder;
  data::write_parquet(kRows, folder.path("t.parquet"));
  data::run_duckdb({fmt::format("COPY ({}) TO '{}' (FORMAT csv, HEADER)", kRows, folder.path("t.csv"))});
  data::run_duckdb({fmt::format("CREATE TABLE t AS {}", kRows)}, folder.path("t.duckdb"));
  std::vector<std::pair<std::string, data::DataSource>> sources;
  for (const char* name : {"t.csv", "t.parquet", "t.duckdb"}) sources.emplace_back(name, *schemas::open_data(folder.path(name)));
  sources.emplace_back("arrow", exported_by_duckdb(kRows));
  sources.emplace_back("arrow, large texts", exported_by_duckdb(kRows, {"SET arrow_large_buffer_size = true"}));
  sources.emplace_back("arrow, views", exported_by_duckdb(without_enum(kRows),
                                                          {"SET arrow_output_version = '1.4'", "SET produce_arrow_string_view = true"}));

  const data::Schema schema = data::schema_with(schema_lines());
  for (const ScanRequest& request : requests()) {
    const std::string what = request.by.empty() ? "numbers" : request.by.front();
    const Result<data::Sums> expected = data::scan(sources.front().second, schema, request, {});
    ASSERT_TRUE(expected.ok()) << what << ": " << expected.error().message();
    EXPECT_EQ(expected->people(), 5000);
    for (const auto& [name, source] : sources) {
      const Result<data::Sums> found = data::scan(source, schema, request, {});
      ASSERT_TRUE(found.ok()) << name << ", " << what << ": " << found.error().message();
      EXPECT_EQ(found->totals.rows, expected->totals.rows) << name << ", " << what;
      EXPECT_TRUE(found->totals.numbers == expected->totals.numbers) << name << ", " << what;
    }
  }
  // All texts of real_code are declared, so that none may count as other.
  for (const char* by : {"real_code", "single_code"}) {
    const Result<data::Sums> coded = data::scan(sources.back().second, schema, {.by = {by}}, {});
    EXPECT_EQ(coded->totals.rows.back(), 0) << by;
  }
}

}  // namespace
}  // namespace tacet
