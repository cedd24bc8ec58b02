// tacet/data/number_column.h: reads any numeric column as the nearest doubles. Private to data.
//
//   NumberColumn column{{DUCKDB_TYPE_BIGINT, 2}, values, validity};          // 12345 means 123.45
//   const double* numbers = read_numbers(column, 0, 1024, {-999}, buffer);   // NaN if missing
//   read_number("12.5");                                                    // NaN if not a number
//
// Every value counts as its nearest double, in every kind of file. So one grid (grid.h) serves all
// types, and text, DECIMAL and DOUBLE count the same.
// Text     digits with at most one point, an optional sign and exponent, or inf, infinity, nan in
//          any case; outer spaces and tabs are ignored. Outside the range of doubles it is an
//          infinity or 0. Anything else (1,000 or 12 mg) is missing.
// Error    none: correctly rounded.    Cost   mostly 1 ns; text and DECIMAL beyond 2^53: 50 ns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tacet::data {

struct NumberKind {
  std::uint32_t type;      // a duckdb_type: the layout of the values
  std::uint8_t scale = 0;  // of a decimal: the value is the integer times 10^-scale
};
/// True if values of this kind can be read as numbers.
bool holds_numbers(const NumberKind& kind);

struct NumberColumn {
  NumberKind kind;
  const void* values;             // in the layout of DuckDB
  const std::uint64_t* validity;  // a bit for each row; null: all are valid
};

/// The rows [begin, begin + count), in `buffer` unless nothing changes. NaN for NULL and for
/// values that equal one of `missing` in the precision of the column.
const double* read_numbers(const NumberColumn& column, std::size_t begin, std::size_t count, const std::vector<double>& missing,
                           double* buffer);

/// The double nearest to the number in `text`, or NaN.
double read_number(std::string_view text);

}  // namespace tacet::data
