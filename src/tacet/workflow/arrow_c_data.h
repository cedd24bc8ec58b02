// tacet/workflow/arrow_c_data.h: the structs of Arrow's C data and C stream interfaces.
//
//   ArrowArrayStream stream;                                  // as another library exports it
//   Result<MemoryTable> table = MemoryTable::of_arrow("survey", stream);
//
// Copied from the specification, with its guards, so that they may meet those of other libraries.
// Source   https://arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// NOLINTBEGIN(modernize-use-using,modernize-deprecated-headers): C, as the specification has it
extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/// The type and the name of a column, or of the columns of a table.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

/// The values of a column, or of the columns of a record batch.
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/// Record batches of one schema, one after the other.
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

}  // extern "C"
// NOLINTEND(modernize-use-using,modernize-deprecated-headers)
