// tacet/data/schema.h: the public facts about a file of people, declared by its custodian.
//
//   const Column* glucose = schema.find("glucose");     // null if it is not declared
// A schema states public knowledge only; nothing is learnt from the data. Every person is in
// exactly one cell of every table: undeclared values count in the cell `other`. People write
// schemas in TOML or JSON (schemas/schema_text.h); the terms of a budget keep them as canonical
// text (data/canonical_schema.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::data {

struct Categories {
  // The declared categories, then "other" and "missing" if they are separate cells.
  std::vector<std::string> labels;
  std::size_t declared = 0;  // the number of declared categories
  std::size_t other = 0;     // index of the cell for undeclared values
  std::size_t missing = 0;   // index of the cell for missing values

  std::vector<std::string> declared_labels() const { return {labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(declared)}; }
};

struct Bounds {
  Decimal lower, upper, resolution;
  std::optional<Decimal> missing;  // the value of a missing number; nothing: it is left out
};

/// How texts write the numbers of a column, if not as 1234.5.
struct NumberText {
  std::optional<char> thousands{};  // 1,234 between groups of three digits
  char decimal = '.';               // a comma in 12,5
  std::string unit{};               // may follow: mg in 12 mg
  bool date = false;                // 2024-05-31: the days since 1970-01-01

  bool usual() const { return !thousands && decimal == '.' && unit.empty() && !date; }
};

inline constexpr std::int64_t kMostContributions = 1000;

/// Each row is of one person, and a person may have several. Rows beyond these limits are dropped.
struct Contributions {
  std::string person;                  // the column that names the person
  std::int64_t rows = 1;               // of a person, or in each group if there is a limit of groups
  std::optional<std::int64_t> groups;  // of a person
};

struct Column {
  std::string name;
  std::optional<Categories> categories{};  // also of bins: one for each, then "missing"
  std::optional<Bounds> bounds{};
  std::vector<Decimal> bins{};  // edges; a number beyond the first or last is in the nearest bin
  NumberText text{};
  std::vector<std::string> missing_values{};  // texts that mean "missing", besides "" and NULL
  // Neighbours agree on each person's category (as `relation` says); only under replace-one.
  bool public_membership = false;
  std::string membership() const { return public_membership ? "public" : "private"; }
};

struct CsvDialect {
  std::optional<char> delimiter;    // nothing: a tab for .tsv, a comma otherwise
  std::optional<char> quote = '"';  // nothing: quotes are ordinary characters
  std::optional<char> escape;       // nothing: a quote is doubled
  bool header = true;
  bool line_breaks_in_quotes = false;
  /// Nothing: quotes are ordinary characters.
  std::optional<char> used_escape() const { return quote && !escape ? quote : escape; }
};

struct Schema {
  std::string dataset;
  std::string ledger;  // relative to the schema's folder
  kernel::Relation relation = kernel::Relation::ReplaceOne;
  std::optional<std::string> source;  // a path from the schema's folder, memory:NAME or a URI
  bool idealised = false;             // allows mechanisms proven in real arithmetic only
  std::optional<std::string> table;   // which table of a DuckDB file
  CsvDialect csv;
  std::optional<Contributions> contributions;  // nothing: every row is another person
  std::vector<Column> columns;                 // in the written order

  const Column* find(std::string_view name) const {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Column& column : columns) out.push_back(column.name);
    return out;
  }
};

}  // namespace tacet::data
