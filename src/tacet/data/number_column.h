// tacet/data/number_column.h: a stretch of a column of any numeric type, read as the nearest doubles. Private to the data room.
//
//   NumberColumn column{{DUCKDB_TYPE_BIGINT, 2}, values, validity};    // 12345 stands for 123.45
//   const double* numbers = read_numbers(column, 0, 1024, {-999}, buffer);   // NaN where a value is missing
//   read_number("12.5");                                                // 12.5; what is no number is NaN
//
// Every value counts as the double nearest to it, in every kind of file: integers below 2^53 and FLOATs are doubles already. So one grid
// (grid.h) serves all types, and a column counts the same whether it is stored as text, as DECIMAL or as DOUBLE.
// Text     digits with at most one point, an optional sign and an optional exponent, or inf, infinity, nan in any case; spaces and tabs
//          around it are ignored. Beyond the range of doubles it is an infinity or 0. Anything else (1,000 or 12 mg) is missing.
// Error    none: correctly rounded. Cost   nothing for DOUBLE without NULL; 1 ns for most others; text and DECIMAL beyond 2^53: 50 ns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tacet::data {

struct NumberKind {
  std::uint32_t type;      // a duckdb_type: how the values are laid out
  std::uint8_t scale = 0;  // of a decimal: the value is the integer times 10^-scale
};
/// Whether values of this kind can be read as numbers.
bool holds_numbers(const NumberKind& kind);

struct NumberColumn {
  NumberKind kind;
  const void* values;             // as DuckDB lays them out
  const std::uint64_t* validity;  // a bit for each row; null: all are valid
};

/// The rows [begin, begin + count). NaN for NULL and for a value that equals one of `missing`, in the column's own precision. The
/// result is `buffer`, or the column's own values where nothing has to be changed.
const double* read_numbers(const NumberColumn& column, std::size_t begin, std::size_t count, const std::vector<double>& missing,
                           double* buffer);

/// The double nearest to the number that `text` writes, or NaN.
double read_number(std::string_view text);

}  // namespace tacet::data
