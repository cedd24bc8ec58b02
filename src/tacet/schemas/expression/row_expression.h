// tacet/schemas/expression/row_expression.h: a bounded number for each row, as people write it.
//
//   CellNumbers load = *tabulate_expression(schema, "(age - 40) / 80 * [smoking = current]");
//   load.columns;          // age and smoking: the cells are those of their table
//   load.lowest;           // the least number of any row, known before any row is read
//   CellNumbers smokers = *tabulate_fraction(schema, "smoking in (current, former)");   // 0 and 1
//
// Arithmetic on numbers and columns with bounds: + - * /, x ^ 2, parentheses, abs(x), sqrt(x),
// log(x), exp(x), min(x, y), max(x, y), if_missing(column, number), and [condition], which is 1
// where the condition (row_condition.h) holds and 0 elsewhere. A number of a column counts as the
// nearest step of its resolution, within its bounds. So a row is in one of finitely many cells, and
// the expression is evaluated at each of them: its range is the exact range, and what has no value
// somewhere, such as a division by 0 or a missing number, is refused without data.
// docs/reference/row_expression.md describes it for analysts.
// Domain   8192 bytes, 256 operations, 64 parentheses deep; at most kMostExpressionCells cells:
//          columns with more steps count in steps twice as long, four times ..., see `steps`.
// Error    of a number: a few roundings of double arithmetic, before any row is read.
// Cost     10 ns for a cell and an operation.
// Checked  tests/questions/row_expression_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

inline constexpr std::size_t kMostExpressionCells = std::size_t{1} << 20;
inline constexpr std::size_t kMostCellsOfAColumn = std::size_t{1} << 16;

/// A number for each cell of a table, the last column fastest.
struct CellNumbers {
  std::vector<std::string> columns;                    // in the order of the schema
  std::vector<data::Bins> bins;                        // of those with bounds: a cell for each step, and the missing
  std::vector<std::pair<std::string, Decimal>> steps;  // longer than the resolution
  std::vector<double> numbers;
  double lowest, highest;  // of the numbers; they differ
  std::string text;        // read as the same expression
};

/// Refusals name the parameter "mean-of", the place in the text, the rule and a remedy.
Result<CellNumbers> tabulate_expression(const data::Schema& schema, std::string_view text);
/// 1 where the condition holds, otherwise 0. Refusals name "fraction".
Result<CellNumbers> tabulate_fraction(const data::Schema& schema, std::string_view condition);

}  // namespace tacet::schemas
