// tacet/data/schema.h: what is public about a file of people, as its custodian declares it.
//
//   tacet = 1
//   dataset = "patients"
//   ledger = "patients.ledger"            # beside this file
//   source = "patients.csv"               # where the data are, if it is to be said: a path from this file's folder, or a URI
//   idealised = false                     # whether mechanisms that are proven in real arithmetic alone may be charged
//   neighbours = "replace-one"            # the default: n is public; or "add-or-remove-one": n is private
//
//   [columns.smoking]
//   categories = ["never", "former", "current"]
//   other = "other"                       # where undeclared values count: a cell of its own, or one of the categories
//   missing = "other"                     # where missing values count: as above; by default with `other`
//   missing_values = ["?", "NA"]          # what is written for a missing value, beside an empty field
//   membership = "private"                # or "public": who is in which category is known to all (under replace-one alone)
//
//   [columns.glucose]
//   lower = 20
//   upper = 300
//   resolution = 1
//   missing = 90                          # what a missing value counts as; by default the middle of the bounds
//
//   [csv]                                 # only where a CSV file is unusual
//   delimiter = ";"                       # by default a tab for .tsv and a comma otherwise
//   quote = "\""                          # "": quotes are ordinary characters
//   escape = "\\"                         # by default a quote is doubled
//   header = false                        # then the columns above are all columns of the file, in its order
//   line_breaks_in_quotes = true          # by default every line feed ends a record (csv_reader.h says what is lost)
//
// TOML, or JSON with the same fields when the name ends in .json; nested at most 16 deep. A schema states public knowledge: nothing in it may be
// learnt from the data silently, so an unknown field is an error, and a column without categories cannot be tabulated.
// `other` defaults to a cell named "other": every person sits in exactly one cell of every table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

  const Column* find(std::string_view name) const;
  std::vector<std::string> names() const;
};

/// `text` as TOML (or JSON), relative names resolved against `folder`. Errors name the field and the line to write.
Result<Schema> parse_schema(std::string_view text, bool json, const std::string& folder);
Result<Schema> read_schema(const std::string& path);

}  // namespace tacet::data
