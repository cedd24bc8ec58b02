// tacet/data/canonical_schema.h: a schema as one text, kept with a budget; rows are read by it.
//
//   std::string terms = canonical(schema);
//   Schema kept = *schema_from_canonical(terms);
//
// The text has everything that decides what a row becomes and what is public: neighbours,
// idealised, table, the CSV dialect, and the columns in order, with all defaults filled in. It
// omits which budget pays (dataset, ledger) and where the data are (source). It is itself a schema
// in JSON. Schemas with the same meaning have the same text, except for the order of columns,
// which matters in CSV files without a header line. Without a delimiter the file name decides it.
// Domain   schemas of schemas/schema_text.h.        Cost   quadratic in the number of columns.
// Checked  tests/data/canonical_schema_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"

namespace tacet::data {

/// One line of JSON: keys in a fixed order, numbers as quoted decimals, missing values sorted.
std::string canonical(const Schema& schema);

/// A number of a column in words: digits, or the date of these days since 1970-01-01.
std::string number_text(const Decimal& number, bool date);
/// The names of the cells between these edges: "18 to under 40", the last "65 to 120".
std::vector<std::string> bin_labels(const std::vector<Decimal>& edges, bool dates);

/// The schema with this text, with empty dataset and ledger. Any other text is SchemaInvalid: it
/// is read with all rules of schemas, and canonical() must write it again exactly.
Result<Schema> schema_from_canonical(std::string_view text);

}  // namespace tacet::data
