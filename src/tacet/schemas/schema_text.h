// tacet/schemas/schema_text.h: a schema as its custodian writes it.
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
// It becomes part of the terms when a budget is made, and is compared with them later; rows are read by the terms (data/canonical_schema.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

/// `text` as TOML (or JSON), relative names resolved against `folder`. Errors name the field and the line to write.
Result<data::Schema> parse_schema(std::string_view text, bool json, const std::string& folder);
Result<data::Schema> read_schema(const std::string& path);

}  // namespace tacet::schemas
