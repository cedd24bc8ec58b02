// tacet/data/sql.h: all SQL that the embedded engine runs on a file of people. Audit all of it.
//
//   std::string query = fold(parquet("/proc/self/fd/3"), /*width=*/2, /*numbers=*/{0}, {1});
// Ways in which a query could break privacy, and what prevents them:
//   read another file       the engine may open only one file (engine.cc): /proc/self/fd/N, or the
//                           absolute path of a DuckDB file as a literal; no pattern, no URL.
//   count a row twice       FROM names one table or one file: no join, no union, no view.
//   drop a row              no WHERE, LIMIT, GROUP BY, HAVING; count(*) must equal our own count.
//   confuse columns         columns are c0, c1, ... by position; no name of the file is in SQL.
//   injection by a name     only path, schema and table of a DuckDB file are foreign; all quoted.
// SQL only passes values on; C++ interprets them (coder.h, row_fold.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tacet::data::sql {

std::string literal(std::string_view text);     // 'it''s'
std::string identifier(std::string_view name);  // "a ""b"""

/// The settings that confine the engine: it may open only the files in `paths`.
std::vector<std::string> confinement(const std::vector<std::string>& paths);

/// The files that make up the DuckDB file at `path`: itself, and its log.
std::vector<std::string> paths_of_database(const std::string& path);
std::string attach(std::string_view path);
/// Schema and name of each table of the attached file; no views: a view may read a row twice.
std::string tables();

/// Sources, for use after FROM.
std::string parquet(std::string_view path);
std::string table(std::string_view schema, std::string_view name);

/// A query without rows; its columns are those of the source.
std::string columns_of(const std::string& source);

std::string code_function(std::size_t axis);
/// One row: the fold of number columns as stored and codes of the others, by Engine's functions.
std::string fold(const std::string& source, std::size_t width, const std::vector<std::size_t>& numbers,
                 const std::vector<std::size_t>& coded);
/// One row: the number of rows, as text.
std::string count(const std::string& source);
inline constexpr const char* kFoldFunction = "tacet_fold";

}  // namespace tacet::data::sql
