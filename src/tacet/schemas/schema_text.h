// tacet/schemas/schema_text.h: reads a schema as its custodian writes it.
//
//   data::Schema schema = *read_schema("patients.toml");
//
//   tacet = 1
//   dataset = "patients"
//   ledger = "patients.ledger"            # beside this file
//   source = "patients.csv"               # optional: a path from this folder, memory:NAME or a URI
//   idealised = false                     # true: allows mechanisms proven in real arithmetic only
//   neighbours = "replace-one"            # the default: n is public; "add-or-remove-one": private
//
//   [columns.smoking]
//   categories = ["never", "former", "current"]
//   other = "other"                       # the cell of undeclared values: its own, or a category
//   missing = "other"                     # the cell of missing values; the default is `other`
//   missing_values = ["?", "NA"]          # texts for a missing value, besides an empty field
//   membership = "private"                # "public": everybody knows it (only with replace-one)
//
//   [columns.glucose]
//   lower = 20
//   upper = 300
//   resolution = 1
//   missing = 90                          # of a missing number in sums; default: "left out"
//   thousands = ","                       # 1,234; likewise decimal = "," and unit = "mg"
//
//   [columns.age]                         # bins beside bounds, or alone; or categories and bounds
//   lower = 0
//   upper = 120
//   resolution = 1
//   bins = [0, 18, 40, 65, 120]           # cells from 0 to under 18, ..., 65 to 120, and missing
//   missing = "missing"                   # the cell of missing values
//   missing_number = 40                   # in sums
//
//   [columns.born]
//   date = true                           # 2024-05-31; resolution in days, by default 1
//   lower = 1900-01-01
//   upper = 2025-12-31
//
//   [columns.income]
//   confirmed = false                     # a proposal of `tacet init --from-data`; see below
//   lower = 0
//   upper = 100000
//   resolution = 1
//
//   [contributions]                       # only if a person may have several rows
//   person = "patient"                    # the column that names the person
//   rows = 3                              # of one person, at most; a hash chooses which
//   groups = 2                            # if written: in each of at most so many groups
//
//   [csv]                                 # only for an unusual CSV file
//   delimiter = ";"                       # default: a tab for .tsv, otherwise a comma
//   quote = "\""                          # "": quotes are ordinary characters
//   escape = "\\"                         # default: a quote is doubled
//   header = false                        # then the columns above are all columns, in order
//   line_breaks_in_quotes = true          # default: every line feed ends a record (csv_reader.h)
//
// TOML, or JSON with the same fields if the name ends in .json; nested at most 16 deep. A schema
// states public knowledge; nothing is learnt from the data silently. So an unknown field is an
// error, and a column without categories or bins cannot be tabulated. Each row is in exactly one
// cell of every table, because `other` defaults to a cell named "other". A column that is not
// confirmed was proposed from data, so it is not public: such a schema is refused, except by a
// check for the custodian. A budget takes the schema
// into its terms, and rows are read by the terms (data/canonical_schema.h); later the schema is
// compared with them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/data/declared.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/ledger/terms.h"

namespace tacet::schemas {

/// A source is a path, a table in the memory of a program (memory:NAME), or on a server (a URI).
inline constexpr std::string_view kMemory = "memory:";
enum class SourceKind : std::uint8_t { Path, Memory, Uri };
SourceKind source_kind(std::string_view source);

/// Columns with `confirmed = false`.
enum class Unconfirmed : std::uint8_t { Refused, Allowed };

/// Parses TOML or JSON; relative names are resolved against `folder`. Errors name the field and
/// the line to write.
Result<data::Schema> parse_schema(std::string_view text, bool json, const std::string& folder,
                                  Unconfirmed unconfirmed = Unconfirmed::Refused);
Result<data::Schema> read_schema(const std::string& path, Unconfirmed unconfirmed = Unconfirmed::Refused);

/// The schema with this canonical text, with empty dataset and ledger. Any other text is
/// SchemaInvalid: it is read with all rules of schemas, and canonical() must write it again.
Result<data::Schema> kept_schema(std::string_view text);
/// The dataset with the schema of its terms. SchemaInvalid if they hold none.
Result<data::Declared> declared_by(kernel::Terms terms);

}  // namespace tacet::schemas
