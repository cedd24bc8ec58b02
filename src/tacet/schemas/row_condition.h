// tacet/schemas/row_condition.h: which rows count, as people write it.
//
//   Condition older = *parse_condition(schema, "age >= 40 and smoking in (current, former)");
//   older.filter;                 // for data/counts.h and data/moments.h
//   older.text;                   // for the ledger and the release file, in one spelling
//
// A language of our own, never SQL. Tests: NUMBER = != < <= > >= c, [not] between a and b,
// [not] in (a, b); CATEGORY = != c, [not] in (a, b); either: is [not] missing. They are combined
// by not, and, or, parentheses. It is read, typed and compared with the bounds and categories of
// the schema without data. A column with bounds is a number, also if it has bins or categories too.
// A missing value satisfies no comparison, in or not in, only `is missing`: so a condition and its
// `not` never both count a person whose value is unknown. Values outside the bounds count as the
// nearest bound. An undeclared category counts as the cell `other`.
// docs/reference/row_condition.md describes it for analysts.
// Domain   at most 64 tests, 64 parentheses deep, 8192 bytes; constants of at most 15 digits.
// Error    none.        Cost     below a millisecond.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/data/row_filter.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

struct Condition {
  data::RowFilter filter;
  std::string text;  // parse_condition() reads it as the same condition
};

/// Refusals name the parameter "where", the place in the text, the rule and a remedy. A condition
/// that no row or every row satisfies is refused too.
Result<Condition> parse_condition(const data::Schema& schema, std::string_view text);

}  // namespace tacet::schemas
