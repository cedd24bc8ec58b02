// tacet/workflow/memory_table.h: rows in the memory of the caller, as a source of releases.
//
//   auto people = *MemoryTable::of_columns("survey", {{"age", std::span(ages)},     // doubles
//                                                     {"sex", std::span(sexes)}});  // string_views
//   auto frame = *MemoryTable::of_arrow("survey", stream);            // Arrow's C stream interface
//   Dataset survey = *Dataset::open({.ledger = "survey.ledger", .data = people});
//
// No value is copied. Releases give the same integers as from a file with the same values: numbers
// count as their nearest doubles, categories by the text that DuckDB writes for them (12, 1.5,
// true, 2024-05-31), NULL is missing. In the terms of a budget the source is "memory:survey": the
// process that holds the rows vouches that they are the declared ones, and that nothing changes
// them while there is a copy of the table (docs/explanation/decisions/rows_in_memory.md).
// Domain   bool (b), integers (c C s S i I l L), float and double (f g), UTF-8 text (u U vu), dates
//          (tdD), decimals (d:p,s), null (n) and dictionaries of texts; validity bitmaps, offsets,
//          batches.
// Misfits  What is malformed in its structure is refused here, before any row is read. A text whose
//          offsets go backwards or beyond the last one, or a position outside of its dictionary,
//          is `other` as a category and missing as a number; it is not read.
// Cost     none per row, but a std::string_view for a std::string and a bit for a missing batch
//          row; the batches of a stream are all held.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/stored_column.h"
#include "tacet/workflow/arrow_c_data.h"

namespace tacet {

/// memory:NAME, as the terms of a budget have it. InvalidArgument for a name that is none.
Result<std::string> source_named(const std::string& name);

/// What a span may hold: bool, std::int8_t to std::uint64_t, float, double or std::string_view.
template <class T>
concept SpanValue = (std::is_arithmetic_v<T> || std::is_same_v<T, std::string_view>) && []<class... Kinds>(std::variant<Kinds...>*) {
  return (std::is_same_v<T, Kinds> || ...);
}(static_cast<data::Stored*>(nullptr));

/// Columns in the memory of the caller, under the name that the terms have for them.
class MemoryTable {
 public:
  /// A column by name. Bit i of `present`, the lowest bit of a byte first, is 0 if row i is
  /// missing; without it only NaN is missing.
  struct Column {
    std::string name;
    data::StoredColumn values;
    std::span<const std::uint8_t> present;
    std::shared_ptr<const std::vector<std::string_view>> views{};  // of std::string

    template <class T, std::size_t N>
      requires SpanValue<std::remove_const_t<T>>
    Column(std::string called, std::span<T, N> rows, std::span<const std::uint8_t> bits = {})
        : name(std::move(called)),
          values{.kind = std::remove_const_t<T>(), .values = rows.data(), .validity = bits.data(), .rows = rows.size()},
          present(bits) {}
    /// The bytes are not copied, but every row costs a std::string_view.
    Column(std::string called, std::span<const std::string> rows, std::span<const std::uint8_t> bits = {});
  };
  /// What the spans refer to must stay as it is while there is a copy of the table.
  static Result<MemoryTable> of_columns(const std::string& name, const std::vector<Column>& columns);

  /// A record batch, which is a struct array. Both structs are taken, and released once: the array
  /// with the last copy of the table, or here if it is refused.
  static Result<MemoryTable> of_arrow(const std::string& name, ArrowSchema& schema, ArrowArray& batch);
  /// Any number of record batches. The stream is taken and released here, its batches as above.
  static Result<MemoryTable> of_arrow(const std::string& name, ArrowArrayStream& stream);

  /// As the terms of a budget have it: memory:NAME.
  const std::string& source() const { return table_.source; }
  const data::StoredTable& table() const { return table_; }

 private:
  explicit MemoryTable(data::StoredTable table) : table_(std::move(table)) {}
  data::StoredTable table_;
};

}  // namespace tacet
