// tacet/workflow/release/csv_table.h: a published table of counts in a CSV file, with its labels.
//
//   sex,basic,plus          sex,plan,people
//   f,812,90                f,basic,812
//   m,455,120               f,plus,90        ...
//
//   CsvTable wide = *read_csv_table("published.csv", {});                     // the left one
//   CsvTable tall = *read_csv_table("published.csv", {.count = "people"});    // the right one
//   wide.axes[1].labels;                                                      // "basic", "plus"
//   import_table({.values = wide.values,
//                 .shape = wide.shape,
//                 .noise = {NoiseFamily::Laplace, 2},
//                 .axes = wide.axes});
//
// The wide form is a matrix: its first line has the labels of the columns, and the first field of
// every other line is the label of the row. The first field of all is the name of the rows. A file
// with two columns, of labels and of counts, is a list. The long form has a line for each cell: a
// column of counts, and all other columns are categories, whose labels are in the order in which
// they appear. Every combination must be there once.
// Domain   UTF-8; fields may be quoted, with doubled quotes inside and line breaks; at most 10^7
//          cells. Numbers as 1234.5 or 1e3. Errors name the line, and never quote the
//          file: it may be the data of people, given by mistake.
// Error    none: the nearest double.
// Cost     linear in the file.
// Checked  tests/workflow/csv_table_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet {

/// What stands between the fields of a line.
enum class CsvDelimiter : std::uint8_t { Comma, Semicolon, Tab };
constexpr auto names_of(CsvDelimiter) {
  using enum CsvDelimiter;
  return std::to_array<Named<CsvDelimiter>>({{Comma, "comma"}, {Semicolon, "semicolon"}, {Tab, "tab"}});
}

/// The form of the file.
struct CsvTableOptions {
  CsvDelimiter delimiter = CsvDelimiter::Comma;
  std::optional<std::string> count = {};  // the column of counts in the long form; empty: wide
};

/// The counts with the names and labels of their axes.
using CsvTable = mechanisms::ReleasedTable;

/// NotFound if the file cannot be read; InvalidArgument, naming `values`, if it is no table.
Result<CsvTable> read_csv_table(const std::string& path, const CsvTableOptions& options);
/// The same for text in memory.
Result<CsvTable> parse_csv_table(const std::string& text, const CsvTableOptions& options);

/// True for names that end in .csv or .tsv.
bool is_csv_name(const std::string& path);

}  // namespace tacet
