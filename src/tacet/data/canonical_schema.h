// tacet/data/canonical_schema.h: a schema as one text, to be kept with a budget: the form by which rows are read.
//
//   std::string terms = canonical(schema);
//   Schema kept = *schema_from_canonical(terms);
//
// The text holds all that decides what a row becomes and what is public about it: neighbours, idealised, table, the dialect of CSV
// files with its defaults filled in, and the columns in their order, with defaults filled in too. It does not hold which budget pays
// (dataset, ledger) and where the data are (source). It is a schema in JSON itself, without the fields it does not hold.
// Two schemas that mean the same have the same text, but for the order of columns, which has a meaning only in CSV files without a
// header line. Without a delimiter in the schema the name of the file tells it, and the text has none either.
// Domain   schemas that schemas/schema_text.h makes.        Cost   quadratic in the number of columns.
// Checked  tests/data/canonical_schema_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"

namespace tacet::data {

/// One line of JSON: keys in a fixed order, numbers as decimals in quotes, texts for missing values sorted.
std::string canonical(const Schema& schema);

/// The schema whose text this is, with empty dataset and ledger. Any other text is SchemaInvalid, a blank too many included: it is read with every
/// rule of schemas, and must be what canonical() then writes.
Result<Schema> schema_from_canonical(std::string_view text);

}  // namespace tacet::data
