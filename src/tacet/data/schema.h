// tacet/data/schema.h: what is public about a file of people, as its custodian declares it.
//
// A schema states public knowledge: nothing in it may be learnt from the data silently. Every person sits in exactly one cell of every table,
// whatever the file holds: undeclared values count in the cell `other`. Schemas are written in TOML or JSON (schemas/schema_text.h) and kept in
// the terms of a budget as canonical text (data/canonical_schema.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::data {

struct Categories {
  std::vector<std::string> labels;  // the cells: the declared categories, then "other" and "missing" where they are cells of their own
  std::size_t declared = 0;         // how many of them are declared categories
  std::size_t other = 0;            // index of the cell for undeclared values
  std::size_t missing = 0;          // index of the cell for missing values
};

struct Bounds {
  Decimal lower, upper, resolution;
  Decimal missing;  // what a missing value counts as
};

struct Column {
  std::string name;
  std::optional<Categories> categories;  // at most one of these two
  std::optional<Bounds> bounds;
  std::vector<std::string> missing_values;  // texts that mean "missing", beside an empty field and NULL
  bool public_membership = false;           // of its categories: then neighbours agree on every person's; only under replace-one
};

struct CsvDialect {
  std::optional<char> delimiter;    // nothing: a tab for .tsv, a comma otherwise
  std::optional<char> quote = '"';  // nothing: quotes are ordinary characters
  std::optional<char> escape;       // nothing: a quote is doubled
  bool header = true;
  bool line_breaks_in_quotes = false;
};

struct Schema {
  std::string dataset;
  std::string ledger;                                        // resolved against the schema's own folder
  kernel::Relation relation = kernel::Relation::ReplaceOne;  // with the columns whose membership is public
  std::optional<std::string> source;  // where the data are: a path, resolved against the schema's own folder, or a URI
  bool idealised = false;             // whether mechanisms that are proven in real arithmetic alone may be charged
  std::optional<std::string> table;   // which table of a DuckDB file
  CsvDialect csv;
  std::vector<Column> columns;  // in the order in which they are written

  const Column* find(std::string_view name) const {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    std::transform(columns.begin(), columns.end(), std::back_inserter(out), [](const Column& column) { return column.name; });
    return out;
  }
};

}  // namespace tacet::data
