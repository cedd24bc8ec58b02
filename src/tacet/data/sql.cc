#include "tacet/data/sql.h"

#include <algorithm>

#include <fmt/format.h>

namespace tacet::data::sql {
namespace {

// DuckDB doubles a quote inside quotes; no other character is special, not even a backslash.
std::string doubled(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    out += c;
    if (c == quote) out += quote;
  }
  return out + quote;
}

std::string names_of(std::size_t width) {
  std::string names;
  for (std::size_t i = 0; i < width; ++i) names += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
  return names;
}

}  // namespace

std::string literal(std::string_view text) { return doubled(text, '\''); }
std::string identifier(std::string_view name) { return doubled(name, '"'); }

std::vector<std::string> confinement(const std::vector<std::string>& paths) {
  std::vector<std::string> statements{
      // The text of a time with a zone must not depend on the machine.
      "SET TimeZone = 'UTC'",
      // Progress is computed but not printed.
      "SET enable_progress_bar = true",
      "SET enable_progress_bar_print = false",
  };
  // The order matters: without external access the list of allowed files cannot grow any more.
  std::string allowed;
  for (const std::string& path : paths) allowed += (allowed.empty() ? "" : ", ") + literal(path);
  if (!paths.empty()) statements.push_back(fmt::format("SET allowed_paths = [{}]", allowed));
  statements.emplace_back("SET enable_external_access = false");
  statements.emplace_back("SET lock_configuration = true");
  return statements;
}

std::vector<std::string> paths_of_database(const std::string& path) {
  // The latest rows may be in a log beside the file. DuckDB inserts ".wal" before a '?'.
  std::string log = path;
  log.insert(std::min(path.find('?'), path.size()), ".wal");
  return {path, log};
}

std::string attach(std::string_view path) { return fmt::format("ATTACH {} AS source (TYPE duckdb, READ_ONLY)", literal(path)); }

std::string tables() {
  return "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'source' AND NOT internal ORDER BY ALL";
}

std::string parquet(std::string_view path) {
  // The options prevent columns that are derived from the path or added to those of the file.
  return fmt::format("read_parquet({}, hive_partitioning = false, union_by_name = false, filename = false, file_row_number = false)",
                     literal(path));
}

std::string table(std::string_view schema, std::string_view name) {
  return fmt::format("source.{}.{}", identifier(schema), identifier(name));
}

std::string columns_of(const std::string& source) { return fmt::format("SELECT * FROM {} LIMIT 0", source); }

std::string code_function(std::size_t axis) { return fmt::format("tacet_code_{}", axis); }

std::string fold(const std::string& source, std::size_t width, const std::vector<std::size_t>& numbers,
                 const std::vector<std::size_t>& coded) {
  std::string values;
  for (const std::size_t position : numbers) values += fmt::format(", c{}", position);
  // CAST to VARCHAR never fails on the types that Engine accepts, and keeps NULL.
  for (std::size_t axis = 0; axis < coded.size(); ++axis)
    values += fmt::format(", {}(CAST(c{} AS VARCHAR))", code_function(axis), coded[axis]);
  return fmt::format("SELECT {}({}) FROM {} AS t({})", kFoldFunction, values.empty() ? values : values.substr(2), source, names_of(width));
}

std::string count(const std::string& source) { return fmt::format("SELECT CAST(count(*) AS VARCHAR) FROM {}", source); }

}  // namespace tacet::data::sql
