#include "tacet/workflow/memory_table.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/arrow_column.h"

namespace tacet {
namespace {

using data::StoredColumn;
using data::StoredTable;

/// Moves a struct out of the caller's hands; it is released with the last copy of the pointer.
template <class Struct>
std::shared_ptr<Struct> taken(Struct& from) {
  const auto release = [](Struct* held) {
    if (held->release != nullptr) held->release(held);
    delete held;
  };
  std::shared_ptr<Struct> held(new Struct{}, release);
  *held = from;
  from.release = nullptr;
  return held;
}

}  // namespace

Result<std::string> source_named(const std::string& name) {
  // A name is shown to people: controls and marks that turn text around would show another one.
  const auto is_control = [](char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; };
  bool shown = !name.empty() && is_utf8(name) && std::none_of(name.begin(), name.end(), is_control);
  for (std::size_t at = 0; shown && at + 1 < name.size(); ++at) {
    const std::string_view next = std::string_view(name).substr(at, 3);
    const bool c1 = next[0] == '\xC2' && static_cast<unsigned char>(next[1]) < 0xA0;
    const bool turns = (next >= "\u202A" && next <= "\u202E") || (next >= "\u2066" && next <= "\u2069");
    shown = !c1 && !turns;
  }
  if (shown) return std::string(schemas::kMemory) + name;
  return Error::invalid("the name of a table in memory", in_quotes(name),
                        "must be text in UTF-8, not empty, on one line and without control characters",
                        "for example: survey, whose source is memory:survey in the terms of a budget");
}

namespace {

/// The source of a table whose name was not checked, for messages.
std::string source_in_words(const std::string& name) { return std::string(schemas::kMemory) + name; }

Error malformed_table(const std::string& source, const std::string& rule, const char* remedy = kFollowArrow) {
  return Error::invalid("data", in_quotes(source), rule, remedy);
}

std::string words_for_column(const std::string& source, const std::string& column) {
  return fmt::format("column {} of {}", in_quotes(column), in_quotes(source));
}

/// The columns that all batches have.
struct ArrowColumns {
  std::vector<std::string> names;
  std::vector<ArrowLayout> layouts;
};

Result<ArrowColumns> columns_of(const std::string& source, const ArrowSchema& schema) {
  const bool is_struct = schema.release != nullptr && schema.format != nullptr && std::string_view(schema.format) == "+s";
  if (!is_struct || schema.dictionary != nullptr || schema.n_children < 1 || schema.children == nullptr) {
    return malformed_table(source, "must be a struct (format +s) of at least one column",
                           "export a record batch or a table, not one column");
  }
  ArrowColumns columns;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema* const child = schema.children[i];
    if (child == nullptr || child->release == nullptr) return malformed_table(source, "must have a schema for each column");
    columns.names.emplace_back(child->name == nullptr ? "" : child->name);
    TACET_TRY(ArrowLayout layout, layout_of(*child, words_for_column(source, columns.names.back())));
    columns.layouts.push_back(std::move(layout));
  }
  return columns;
}

/// A row of the batch is the row of its children that is as far from theirs as the batch's offset.
Result<std::vector<StoredColumn>> rows_of(const std::string& source, const ArrowColumns& columns, const ArrowArray& batch,
                                          ArrowHoldings& holdings) {
  if (batch.n_children != static_cast<std::int64_t>(columns.names.size()) || batch.children == nullptr)
    return malformed_table(source, "must have as many columns in every batch as in its schema");
  if (!has_sound_length(batch)) return malformed_table(source, "must have batches whose length and offset are not negative");
  if (batch.n_buffers != 1 || batch.buffers == nullptr || (batch.buffers[0] == nullptr && batch.null_count > 0))
    return malformed_table(source, "must have batches that tell which rows are missing");
  const std::int64_t end = batch.offset + batch.length;
  std::vector<StoredColumn> stored;
  for (const std::string& name : columns.names) {
    const ArrowArray* const child = batch.children[stored.size()];
    if (child == nullptr) return malformed_table(source, "must have as many columns in every batch as in its schema");
    TACET_TRY(StoredColumn column, read_column(columns.layouts[stored.size()], *child, words_for_column(source, name), holdings));
    if (child->length < end)
      return malformed_table(source, fmt::format("must have columns as long as their batch, but column {} is shorter", in_quotes(name)));
    column.offset += static_cast<std::size_t>(batch.offset);
    column.rows = static_cast<std::size_t>(batch.length);
    if (batch.buffers[0] != nullptr && batch.null_count != 0)
      hide_rows(column, static_cast<const std::uint8_t*>(batch.buffers[0]), static_cast<std::size_t>(batch.offset), holdings);
    stored.push_back(column);
  }
  return stored;
}

Result<StoredTable> table_of(const std::string& name, const ArrowSchema& schema, const std::shared_ptr<ArrowHoldings>& holdings) {
  TACET_TRY(const std::string source, source_named(name));
  TACET_TRY(const ArrowColumns columns, columns_of(source, schema));
  StoredTable table{source, columns.names, {}, holdings};
  for (const std::shared_ptr<const ArrowArray>& batch : holdings->arrays) {
    TACET_TRY(std::vector<StoredColumn> stored, rows_of(source, columns, *batch, *holdings));
    table.batches.push_back(std::move(stored));
  }
  if (!table.batches.empty()) return table;
  // No batch, no rows; but the columns have their types.
  std::vector<StoredColumn>& none = table.batches.emplace_back();
  for (const ArrowLayout& layout : columns.layouts) none.push_back({.kind = layout.kind, .scale = layout.scale});
  return table;
}

}  // namespace

MemoryTable::Column::Column(std::string called, std::span<const std::string> rows, std::span<const std::uint8_t> bits)
    : name(std::move(called)), present(bits), views(std::make_shared<std::vector<std::string_view>>(rows.begin(), rows.end())) {
  values = {.kind = std::string_view(), .values = views->data(), .validity = bits.data(), .rows = rows.size()};
}

Result<MemoryTable> MemoryTable::of_columns(const std::string& name, const std::vector<Column>& columns) {
  TACET_TRY(const std::string source, source_named(name));
  if (columns.empty()) return malformed_table(source, "must have at least one column", "for example: {{\"age\", std::span(ages)}}");
  const auto views = std::make_shared<std::vector<std::shared_ptr<const void>>>();
  StoredTable table{source, {}, {{}}, views};
  for (const Column& column : columns) {
    if (column.values.rows != columns.front().values.rows) {
      return malformed_table(source, fmt::format("must have columns of one length, but column {} has another", in_quotes(column.name)),
                             "give a value for every row; NaN is a missing number");
    }
    if (column.present.data() != nullptr && column.present.size() < (column.values.rows + 7) / 8) {
      return malformed_table(source, fmt::format("must tell which rows are missing for every row of column {}", in_quotes(column.name)),
                             "give a bit for every row, in bytes, the lowest bit first");
    }
    views->push_back(column.views);
    table.columns.push_back(column.name);
    table.batches.front().push_back(column.values);
  }
  return MemoryTable(std::move(table));
}

Result<MemoryTable> MemoryTable::of_arrow(const std::string& name, ArrowSchema& schema, ArrowArray& batch) {
  const auto held = taken(schema);
  const auto holdings = std::make_shared<ArrowHoldings>();
  holdings->arrays.push_back(taken(batch));
  if (holdings->arrays.front()->release == nullptr)
    return malformed_table(source_in_words(name), "must not have been released", "export it anew");
  TACET_TRY(StoredTable table, table_of(name, *held, holdings));
  return MemoryTable(std::move(table));
}

Result<MemoryTable> MemoryTable::of_arrow(const std::string& name, ArrowArrayStream& stream) {
  const auto held = taken(stream);
  if (held->release == nullptr) return malformed_table(source_in_words(name), "must not have been released", "export it anew");
  // What the stream says of its failure may hold data.
  const Error failed =
      Error::of(Code::DataUnreadable, fmt::format("the stream of {} failed before its end", in_quotes(source_in_words(name))),
                "ask the library that made the stream");
  ArrowSchema schema{};
  if (held->get_schema(held.get(), &schema) != 0) return failed;
  const auto columns = taken(schema);
  const auto holdings = std::make_shared<ArrowHoldings>();
  for (;;) {
    ArrowArray batch{};
    if (held->get_next(held.get(), &batch) != 0) return failed;
    if (batch.release == nullptr) break;
    holdings->arrays.push_back(taken(batch));
  }
  TACET_TRY(StoredTable table, table_of(name, *columns, holdings));
  return MemoryTable(std::move(table));
}

}  // namespace tacet
