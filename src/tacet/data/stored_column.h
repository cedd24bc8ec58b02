// tacet/data/stored_column.h: a column of rows in memory, read as doubles or as texts.
//
//   const std::int64_t values[] = {12345, 200, 5}; double buffer[3]; std::string scratch;
//   StoredColumn cents{.kind = std::int64_t{}, .scale = 2, .values = values, .rows = 3};
//   const double* numbers = read_numbers(cents, 0, 3, {-999}, buffer);    // NaN if missing
//   text_of(cents, 0, scratch);                                          // 12345 is "123.45"
//   read_number("12.5");                                                 // NaN if not a number
// As a number, every value counts as its nearest double, wherever it is stored. So one grid
// (grid.h) serves all types, and text, DECIMAL and DOUBLE count the same. As a category it counts
// as its text, as DuckDB writes it: 12, 1.5, true, 2024-05-31; but large or long floats shortest.
// Text     digits with at most one point, an optional sign and exponent, or inf, infinity, nan in
//          any case; outer spaces and tabs are ignored. Outside the range of doubles it is an
//          infinity or 0. Anything else (1,000 or 12 mg) is missing, unless the schema declares
//          separators, a unit or dates (NumberText).
// Misfits  A text outside of its block, a position outside of its dictionary and a date outside of
//          the years 1 to 9999 count as kNoText.
// Error    none: correctly rounded.    Cost   mostly 1 ns; text and DECIMAL beyond 2^53: 50 ns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tacet/base/wide.h"
#include "tacet/data/schema.h"

namespace tacet::data {

/// The text of an unreadable value: not UTF-8, so no schema can declare it.
inline constexpr std::string_view kNoText = "\xFF";

struct Bit {};  // a bool in one bit, the lowest first
struct Date {
  std::int32_t day;  // since 1970-01-01
};
template <class Offset>
struct Text {};  // the offset of its first byte; the next offset is its end
struct View {    // a text of up to 12 bytes after its size, or a place in a block
  std::int32_t size, prefix, block, begin;
};

/// A value of the type that a column stores, as in C++ or in Arrow's columnar format.
using Stored =
    std::variant<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, Int128, std::uint8_t, std::uint16_t, std::uint32_t,
                 std::uint64_t, UInt128, float, double, std::string_view, Bit, Date, Text<std::int32_t>, Text<std::int64_t>, View>;

struct StoredColumn {
  Stored kind{};                           // its type alone counts
  std::uint8_t scale = 0;                  // of a decimal: the value is the integer times 10^-scale
  const void* values = nullptr;            // of any alignment; of a Text: rows + 1 offsets
  const std::uint8_t* validity = nullptr;  // a Bit for each row; null: no row is missing
  std::size_t offset = 0;                  // of the first row, in values and validity
  std::size_t rows = 0;
  std::span<const std::string_view> blocks{};  // of bytes: one of Text, any number of View
  const StoredColumn* dictionary = nullptr;    // of texts; the values are positions in it
};

/// Rows in memory, in batches; workflow/memory_table.h makes it and checks it.
struct StoredTable {
  std::string source;                              // in the terms of a budget: memory:NAME
  std::vector<std::string> columns;                // their names
  std::vector<std::vector<StoredColumn>> batches;  // at least one; the columns have as many rows each
  std::shared_ptr<const void> owner;               // of what the pointers point to
};

inline bool is_set(const void* bits, std::size_t at) { return ((static_cast<const std::uint8_t*>(bits)[at / 8] >> (at % 8)) & 1U) != 0; }

/// The rows [begin, begin + count), in `buffer`. NaN for missing rows and for values that equal one
/// of `missing` in the precision of the column.
const double* read_numbers(const StoredColumn& column, std::size_t begin, std::size_t count, const std::vector<double>& missing,
                           double* buffer, const NumberText& form = {});

/// Nothing for a missing row. The text may be in `buffer`.
std::optional<std::string_view> text_of(const StoredColumn& column, std::size_t row, std::string& buffer);

std::string_view trimmed(std::string_view text);  // without spaces and tabs at its ends
/// The double nearest to the number in `text`, or NaN.
double read_number(std::string_view text, const NumberText& form = {});
/// 2024-05-31, from the days since 1970-01-01; kNoText outside of the years 1 to 9999.
std::string date_text(std::int64_t day);
/// Its values are texts, not numbers or dates.
bool has_texts(const StoredColumn& column);

}  // namespace tacet::data
