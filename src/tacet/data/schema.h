// tacet/data/schema.h: what is public about a file of people, as its custodian declares it.
//
//   tacet = 1
//   dataset = "patients"
//   ledger = "patients.ledger"            # beside this file
//   neighbours = "replace-one"            # or "add-or-remove-one"
//
//   [columns.smoking]
//   categories = ["never", "former", "current"]
//   other = "other"                       # where undeclared values count: a cell of its own, or one of the categories
//   missing = "other"                     # where missing values count: as above
//
//   [columns.glucose]
//   lower = 20
//   upper = 300
//   resolution = 1
//   missing = 90
//
// TOML, or JSON with the same fields when the name ends in .json. A schema states public knowledge: nothing in it may be
// learnt from the data silently, so an unknown field is an error, and a column without categories cannot be tabulated.
// `other` and `missing` default to a cell named "other": every person sits in exactly one cell of every table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
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
  std::optional<Categories> categories;
  std::optional<Bounds> bounds;
};

struct CsvDialect {
  std::string delimiter = ",", quote = "\"", escape = "\"";
  bool header = true;
};

struct Schema {
  std::string dataset;
  std::string ledger;                  // resolved against the schema's own folder
  kernel::Relation relation = kernel::Relation::ReplaceOne;
  std::optional<std::string> table;    // which table of a DuckDB file
  CsvDialect csv;
  std::vector<Column> columns;         // in the order of the file

  const Column* find(std::string_view name) const;
};

/// `text` as TOML (or JSON), relative names resolved against `folder`. Errors name the field and the line to write.
Result<Schema> parse_schema(std::string_view text, bool json, const std::string& folder);
Result<Schema> read_schema(const std::string& path);

}  // namespace tacet::data
