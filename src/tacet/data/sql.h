// tacet/data/sql.h: every text of SQL that the embedded engine runs on a file of people. Privacy-critical: audit this file whole.
//
// What a query could do wrong, and why these do not:
//   read another file       the engine may open the one file and nothing else (engine.cc), whose name is /proc/self/fd/N, or the
//                           absolute path of a DuckDB file as a literal; no pattern or URL reaches the engine.
//   count a row twice       FROM names one table or one file, with no join, no union and no view.
//   drop a row              no WHERE, LIMIT, GROUP BY or HAVING; the engine's own count(*) must equal what our own code counted.
//   mistake a column        columns are named c0, c1, ... by their position; names of the file never stand in SQL.
//   be steered by a name    only three texts are not ours (path, schema and table of a DuckDB file) and they are quoted below.
// What a value is worth is decided by Coder (coder.h) and RowFold (row_fold.h) in C++; SQL only hands them the values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tacet::data::sql {

std::string literal(std::string_view text);     // 'it''s'
std::string identifier(std::string_view name);  // "a ""b"""

/// The settings that shut the engine in: `paths` are the only files it may open.
std::vector<std::string> confinement(const std::vector<std::string>& paths);

/// The files that make up the DuckDB file at `path`: itself, and its log.
std::vector<std::string> paths_of_database(const std::string& path);
std::string attach(std::string_view path);
/// Schema and name of each table of the attached file, views excluded: a view is a query, and may read a row twice.
std::string tables();

/// What may follow FROM.
std::string parquet(std::string_view path);
std::string table(std::string_view schema, std::string_view name);

/// No row; its columns are those of the source.
std::string columns_of(const std::string& source);
/// Name and type of each of its columns, for people.
std::string types_of(const std::string& source);

struct CodedColumn {
  std::size_t position;  // in the source
  bool is_text;          // else its values are compared by their text
};
std::string code_function(std::size_t axis);
/// One row: the fold of all rows of the source over columns of numbers as they stand and codes of others. The functions are those that Engine
/// registers.
std::string fold(const std::string& source, std::size_t width, const std::vector<std::size_t>& numbers,
                 const std::vector<CodedColumn>& coded);
/// One row: the number of rows.
std::string count(const std::string& source);
inline constexpr const char* kFoldFunction = "tacet_fold";

}  // namespace tacet::data::sql
