// tacet/workflow/arrow_column.h: a column of Arrow's C data interface, checked and not copied.
//
//   ArrowLayout layout = *layout_of(*schema.children[0], "column \"age\" of \"memory:survey\"");
//   ArrowHoldings holdings;
//   data::StoredColumn ages = *read_column(layout, *batch.children[0], "column \"age\"", holdings);
//
// Only the structure is looked at: formats, lengths, numbers of buffers, the offset after the last
// text. Messages tell nothing else, not even how many rows there are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/stored_column.h"
#include "tacet/workflow/arrow_c_data.h"

namespace tacet {

/// How an Arrow type stores its values.
struct ArrowLayout {
  data::Stored kind;
  std::int64_t buffers = 2;  // validity and values, and the bytes of texts
  std::uint8_t scale = 0;    // of a decimal
  std::shared_ptr<const ArrowLayout> dictionary{};
};

/// What columns point to, besides the buffers of the arrays. It must outlive them.
struct ArrowHoldings {
  std::vector<std::shared_ptr<const ArrowArray>> arrays{};
  std::deque<std::vector<std::string_view>> blocks{};
  std::deque<data::StoredColumn> dictionaries{};
  std::deque<std::vector<std::uint8_t>> validity{};  // that no array has in one piece
};

/// `column` is how messages call it.
Result<ArrowLayout> layout_of(const ArrowSchema& schema, const std::string& column);
Result<data::StoredColumn> read_column(const ArrowLayout& layout, const ArrowArray& array, const std::string& column,
                                       ArrowHoldings& holdings);

/// Row i counts as missing also where bit `first` + i of its batch is not set.
void hide_rows(data::StoredColumn& column, const std::uint8_t* batch, std::size_t first, ArrowHoldings& holdings);

/// True if length and offset are not negative, and small enough for every size in bytes.
bool has_sound_length(const ArrowArray& array);

/// The advice for whatever breaks the rules of the interface.
inline constexpr const char* kFollowArrow = "the library that made it must follow Arrow's C data interface";

}  // namespace tacet
