// tacet/data/canonical_schema.h: a schema as one text, kept with a budget; rows are read by it.
//
//   std::string terms = canonical(schema);
//
// The text has everything that decides what a row becomes and what is public: neighbours,
// idealised, table, the CSV dialect, and the columns in order, with all defaults filled in. It
// omits which budget pays (dataset, ledger) and where the data are (source). It is itself a schema
// in JSON. Schemas with the same meaning have the same text, except for the order of columns,
// which matters in CSV files without a header line. Without a delimiter the file name decides it.
// It is only written here: who reads it (schemas/schema_text.h) is not trusted, because a schema is
// used only if its text is that of the terms (data/declared.h).
// Domain   schemas that are sound.        Cost   quadratic in the number of columns.
// Checked  tests/data/canonical_schema_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/data/schema.h"

namespace tacet::data {

/// One line of JSON: keys in a fixed order, numbers as quoted decimals, missing values sorted.
std::string canonical(const Schema& schema);

/// Can rows be read by this schema, and does its text tell it from others? Cells exist, columns
/// differ, the characters of the dialect are ASCII and do not clash, and membership and
/// contributions agree with the relation: rows of one person may be in several groups, so who is
/// in which cannot be public then.
bool is_sound(const Schema& schema);

/// A number of a column in words: digits, or the date of these days since 1970-01-01.
std::string number_text(const Decimal& number, bool date);
/// The names of the cells between these edges: "18 to under 40", the last "65 to 120".
std::vector<std::string> bin_labels(const std::vector<Decimal>& edges, bool dates);

}  // namespace tacet::data
