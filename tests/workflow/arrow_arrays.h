// tests/workflow/arrow_arrays.h: arrays as other libraries export them, made by hand, with every
// release counted.
//
//   Releases released;
//   ArrowSchema schema = exported_schema({numbers<double>("age", "g", {31, 44})}, released);
//   ArrowArray batch = exported_batch({numbers<double>("age", "g", {31, 44})},
//                                    {.length = 2}, released);
//
// Each buffer has exactly the bytes that it needs, so that a sanitizer sees a read beyond them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/workflow/arrow_c_data.h"

namespace tacet::test {

struct Releases {
  int schemas = 0, arrays = 0, streams = 0;
};

using Bytes = std::vector<std::uint8_t>;

struct ArrowParts {
  std::string name, format;
  std::vector<std::optional<Bytes>> buffers;  // nothing: a null pointer
  std::int64_t length = 0;
  std::int64_t nulls = 0;
  std::int64_t offset = 0;
  std::shared_ptr<ArrowParts> dictionary = {};
  bool has_buffers = true;
  std::int64_t children = 0;  // a lie: there are none
};

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline Bytes bits_of(const std::vector<bool>& values) {
  Bytes bytes((values.size() + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i) bytes[i / 8] |= static_cast<std::uint8_t>(values[i] ? 1U << (i % 8) : 0U);
  return bytes;
}

/// The same column from row `offset` on, as a slice has it.
inline ArrowParts sliced(ArrowParts column, std::int64_t offset, std::int64_t length) {
  column.offset = offset;
  column.length = length;
  return column;
}

inline ArrowParts with_missing(ArrowParts column, const std::vector<bool>& present) {
  column.buffers[0] = bits_of(present);
  column.nulls = -1;
  return column;
}

template <class T>
ArrowParts numbers(std::string name, std::string format, const std::vector<T>& values) {
  return {std::move(name), std::move(format), {std::nullopt, bytes_of(values)}, static_cast<std::int64_t>(values.size())};
}

inline ArrowParts flags(std::string name, const std::vector<bool>& values) {
  return {std::move(name), "b", {std::nullopt, bits_of(values)}, static_cast<std::int64_t>(values.size())};
}

template <class Offset = std::int32_t>
ArrowParts texts(std::string name, const std::vector<std::string>& values) {
  std::vector<Offset> offsets{0};
  Bytes bytes;
  for (const std::string& value : values) {
    bytes.insert(bytes.end(), value.begin(), value.end());
    offsets.push_back(static_cast<Offset>(bytes.size()));
  }
  return {
      std::move(name), sizeof(Offset) == 4 ? "u" : "U", {std::nullopt, bytes_of(offsets), bytes}, static_cast<std::int64_t>(values.size())};
}

template <class Index>
ArrowParts coded(std::string name, std::string format, const std::vector<Index>& positions, const ArrowParts& dictionary) {
  ArrowParts column = numbers(std::move(name), std::move(format), positions);
  column.dictionary = std::make_shared<ArrowParts>(dictionary);
  return column;
}

struct BatchShape {
  std::int64_t length = 0;
  std::int64_t offset = 0;
  std::optional<Bytes> present = {};
  std::int64_t nulls = 0;
};

struct ExportedSchema {
  std::vector<ArrowParts> columns;
  std::deque<ArrowSchema> schemas;
  std::vector<ArrowSchema*> children;
  Releases* released;

  ArrowSchema* add(const ArrowParts& column) {
    ArrowSchema* const schema = &schemas.emplace_back();
    schema->format = column.format.c_str();
    schema->name = column.name.c_str();
    schema->flags = ARROW_FLAG_NULLABLE;
    if (column.dictionary) schema->dictionary = add(*column.dictionary);
    schema->release = [](ArrowSchema* child) { child->release = nullptr; };
    return schema;
  }
};

inline ArrowSchema exported_schema(std::vector<ArrowParts> columns, Releases& released, const char* format = "+s") {
  auto* const held = new ExportedSchema{std::move(columns), {}, {}, &released};
  for (const ArrowParts& column : held->columns) held->children.push_back(held->add(column));
  return {.format = format,
          .name = "",
          .metadata = nullptr,
          .flags = 0,
          .n_children = static_cast<std::int64_t>(held->children.size()),
          .children = held->children.data(),
          .dictionary = nullptr,
          .release =
              [](ArrowSchema* schema) {
                auto* const mine = static_cast<ExportedSchema*>(schema->private_data);
                ++mine->released->schemas;
                schema->release = nullptr;
                delete mine;
              },
          .private_data = held};
}

struct ExportedBatch {
  std::vector<ArrowParts> columns;
  std::optional<Bytes> present;
  std::deque<ArrowArray> arrays;
  std::deque<std::vector<const void*>> buffers;
  std::vector<ArrowArray*> children;
  Releases* released;

  ArrowArray* add(const ArrowParts& column) {
    std::vector<const void*>& pointers = buffers.emplace_back();
    for (const auto& bytes : column.buffers) pointers.push_back(bytes ? bytes->data() : nullptr);
    ArrowArray* const array = &arrays.emplace_back();
    array->length = column.length;
    array->null_count = column.nulls;
    array->offset = column.offset;
    array->n_buffers = static_cast<std::int64_t>(pointers.size());
    array->n_children = column.children;
    if (column.has_buffers) array->buffers = pointers.data();
    if (column.dictionary) array->dictionary = add(*column.dictionary);
    array->release = [](ArrowArray* child) { child->release = nullptr; };
    return array;
  }
};

inline ArrowArray exported_batch(std::vector<ArrowParts> columns, const BatchShape& shape, Releases& released) {
  auto* const held = new ExportedBatch{std::move(columns), shape.present, {}, {}, {}, &released};
  for (const ArrowParts& column : held->columns) held->children.push_back(held->add(column));
  std::vector<const void*>& own = held->buffers.emplace_back();
  own.push_back(held->present ? held->present->data() : nullptr);
  return {.length = shape.length,
          .null_count = shape.nulls,
          .offset = shape.offset,
          .n_buffers = 1,
          .n_children = static_cast<std::int64_t>(held->children.size()),
          .buffers = own.data(),
          .children = held->children.data(),
          .dictionary = nullptr,
          .release =
              [](ArrowArray* batch) {
                auto* const mine = static_cast<ExportedBatch*>(batch->private_data);
                ++mine->released->arrays;
                batch->release = nullptr;
                delete mine;
              },
          .private_data = held};
}

/// Hands its batches over one by one, then ends, or fails if it is told to.
struct ExportedStream {
  ArrowSchema schema;
  std::deque<ArrowArray> batches;
  bool fails_at_the_end = false;
  Releases* released;
};

inline ArrowArrayStream exported_stream(ArrowSchema schema, std::deque<ArrowArray> batches, Releases& released,
                                        bool fails_at_the_end = false) {
  return {.get_schema =
              [](ArrowArrayStream* stream, ArrowSchema* out) {
                auto& mine = *static_cast<ExportedStream*>(stream->private_data);
                *out = std::exchange(mine.schema, {});
                return 0;
              },
          .get_next =
              [](ArrowArrayStream* stream, ArrowArray* out) {
                auto& mine = *static_cast<ExportedStream*>(stream->private_data);
                *out = {};
                if (mine.batches.empty()) return mine.fails_at_the_end ? 5 : 0;
                *out = mine.batches.front();
                mine.batches.pop_front();
                return 0;
              },
          .get_last_error = [](ArrowArrayStream*) { return "row 17 of Ada Lovelace"; },
          .release =
              [](ArrowArrayStream* stream) {
                auto* const mine = static_cast<ExportedStream*>(stream->private_data);
                ++mine->released->streams;
                if (mine->schema.release != nullptr) mine->schema.release(&mine->schema);
                for (ArrowArray& batch : mine->batches) batch.release(&batch);
                stream->release = nullptr;
                delete mine;
              },
          .private_data = new ExportedStream{schema, std::move(batches), fails_at_the_end, &released}};
}

}  // namespace tacet::test
