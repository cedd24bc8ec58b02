#include "tacet/workflow/arrow_column.h"

#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacet/base/text.h"

namespace tacet {
namespace {

using data::StoredColumn;

constexpr std::int64_t kMostRows = std::int64_t{1} << 48;
constexpr std::int64_t kMostRowsOfNulls = std::int64_t{1} << 31;  // a bit each, whatever the array says
constexpr std::int64_t kBuffersOfTexts = 3;
constexpr int kMostDigits = 38;  // of a decimal in 128 bits

Error malformed(const std::string& column, const char* rule) { return Error::invalid(column, "malformed", rule, kFollowArrow); }

/// Of d:PRECISION,SCALE, with or without ",128"; nothing for other widths and negative scales.
std::optional<std::uint8_t> scale_of(std::string_view format) {
  const std::size_t comma = format.find(',');
  if (!format.starts_with("d:") || comma == std::string_view::npos) return std::nullopt;
  std::string_view scale = format.substr(comma + 1);
  if (scale.ends_with(",128")) scale.remove_suffix(4);
  std::uint8_t digits = 0;
  const auto [end, error] = std::from_chars(scale.data(), scale.data() + scale.size(), digits);
  if (error != std::errc() || end != scale.data() + scale.size() || digits > kMostDigits) return std::nullopt;
  return digits;
}

std::optional<ArrowLayout> known_layout(std::string_view format) {
  static const std::array<std::pair<std::string_view, ArrowLayout>, 15> known{{{"b", {data::Bit()}},
                                                                               {"c", {std::int8_t()}},
                                                                               {"C", {std::uint8_t()}},
                                                                               {"s", {std::int16_t()}},
                                                                               {"S", {std::uint16_t()}},
                                                                               {"i", {std::int32_t()}},
                                                                               {"I", {std::uint32_t()}},
                                                                               {"l", {std::int64_t()}},
                                                                               {"L", {std::uint64_t()}},
                                                                               {"f", {float()}},
                                                                               {"g", {double()}},
                                                                               {"tdD", {data::Date()}},
                                                                               {"u", {data::Text<std::int32_t>(), kBuffersOfTexts}},
                                                                               {"U", {data::Text<std::int64_t>(), kBuffersOfTexts}},
                                                                               {"vu", {data::View(), kBuffersOfTexts}}}};
  if (format == "n") return ArrowLayout{data::Bit(), 0};
  for (const auto& [name, layout] : known) {
    if (format == name) return layout;
  }
  if (const auto scale = scale_of(format)) return ArrowLayout{Int128(), 2, *scale};
  return std::nullopt;
}

bool is_null(const ArrowLayout& layout) { return layout.buffers == 0; }
bool has_views(const ArrowLayout& layout) { return std::holds_alternative<data::View>(layout.kind); }

/// How many bytes the texts have, for all that is known: Arrow does not tell the size of a buffer.
template <class Offset>
std::size_t bytes_of(const StoredColumn& column) {
  Offset last = 0;
  const auto* const offsets = static_cast<const char*>(column.values);
  if (column.rows > 0) std::memcpy(&last, offsets + (column.offset + column.rows) * sizeof last, sizeof last);
  return last < 0 ? 0 : static_cast<std::size_t>(last);
}

std::vector<std::string_view> block_of_offsets(const ArrowLayout& layout, const ArrowArray& array, const StoredColumn& column) {
  const auto* const bytes = static_cast<const char*>(array.buffers[2]);
  if (bytes == nullptr) return {std::string_view()};
  const bool wide = std::holds_alternative<data::Text<std::int64_t>>(layout.kind);
  return {std::string_view(bytes, wide ? bytes_of<std::int64_t>(column) : bytes_of<std::int32_t>(column))};
}

/// Between the views and the last buffer, which has their sizes; nothing if one is missing.
std::optional<std::vector<std::string_view>> blocks_of_views(const ArrowArray& array) {
  std::vector<std::string_view> blocks;
  const auto* const sizes = static_cast<const char*>(array.buffers[array.n_buffers - 1]);
  for (std::int64_t i = 0; i < array.n_buffers - kBuffersOfTexts; ++i) {
    if (sizes == nullptr) return std::nullopt;
    std::int64_t size = 0;
    std::memcpy(&size, sizes + static_cast<std::size_t>(i) * sizeof size, sizeof size);
    const auto* const bytes = static_cast<const char*>(array.buffers[2 + i]);
    if (size < 0 || (size > 0 && bytes == nullptr)) return std::nullopt;
    blocks.emplace_back(bytes, static_cast<std::size_t>(size));
  }
  return blocks;
}

const std::uint8_t* no_bit_set(const StoredColumn& column, ArrowHoldings& holdings) {
  return holdings.validity.emplace_back((column.offset + column.rows) / 8 + 1).data();
}

}  // namespace

void hide_rows(StoredColumn& column, const std::uint8_t* batch, std::size_t first, ArrowHoldings& holdings) {
  (void)no_bit_set(column, holdings);
  std::vector<std::uint8_t>& bits = holdings.validity.back();
  for (std::size_t row = 0; row < column.rows; ++row) {
    const std::size_t at = column.offset + row;
    const bool valid = data::is_set(batch, first + row) && (column.validity == nullptr || data::is_set(column.validity, at));
    if (valid) bits[at / 8] |= static_cast<std::uint8_t>(1U << (at % 8));
  }
  column.validity = bits.data();
}

bool has_sound_length(const ArrowArray& array) {
  return array.length >= 0 && array.length <= kMostRows && array.offset >= 0 && array.offset <= kMostRows;
}

Result<ArrowLayout> layout_of(const ArrowSchema& schema, const std::string& column) {
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  std::optional<ArrowLayout> layout = known_layout(format);
  if (!layout) {
    return Error::invalid(
        "the format of " + column, in_quotes(format),
        "must be bool, an integer, float, double, text in UTF-8, a date in days, a decimal of 128 bits, null or a dictionary of texts",
        "leave the column out, or convert it first");
  }
  if (schema.n_children != 0) return malformed(column, "must have no columns inside");
  if (schema.dictionary == nullptr) return *std::move(layout);
  TACET_TRY(ArrowLayout texts, layout_of(*schema.dictionary, column));
  const bool positions = std::visit([](const auto& kind) { return std::is_integral_v<std::decay_t<decltype(kind)>>; }, layout->kind);
  if (!positions || texts.buffers != kBuffersOfTexts || texts.dictionary != nullptr) {
    return Error::invalid("the dictionary of " + column, in_quotes(schema.dictionary->format), "must hold texts, and the column integers",
                          "convert the column to the values of its dictionary first");
  }
  layout->dictionary = std::make_shared<const ArrowLayout>(std::move(texts));
  return *std::move(layout);
}

Result<StoredColumn> read_column(const ArrowLayout& layout, const ArrowArray& array, const std::string& column, ArrowHoldings& holdings) {
  if (array.release == nullptr) return malformed(column, "must not have been released");
  if (array.n_children != 0) return malformed(column, "must have no columns inside");
  if (!has_sound_length(array)) return malformed(column, "must have a length and an offset that are not negative");
  const std::int64_t buffers = array.buffers == nullptr ? 0 : array.n_buffers;
  if (has_views(layout) ? buffers < layout.buffers : buffers != layout.buffers) {
    return Error::invalid("the number of buffers of " + column, fmt::format("{}", buffers),
                          fmt::format("must be {}{}", has_views(layout) ? "at least " : "", layout.buffers), kFollowArrow);
  }
  if ((array.dictionary == nullptr) != (layout.dictionary == nullptr))
    return malformed(column, "must have its dictionary in its schema and in its array");

  StoredColumn stored{.kind = layout.kind, .scale = layout.scale};
  stored.offset = static_cast<std::size_t>(array.offset);
  stored.rows = static_cast<std::size_t>(array.length);
  if (is_null(layout)) {
    if (array.length > kMostRowsOfNulls || array.offset > kMostRowsOfNulls)
      return malformed(column, "must have at most 2^31 rows without values");
    stored.validity = no_bit_set(stored, holdings);
    stored.values = stored.validity;
    return stored;
  }
  stored.values = array.buffers[1];
  if (stored.rows > 0 && stored.values == nullptr) return malformed(column, "must have values");
  if (array.null_count != 0) stored.validity = static_cast<const std::uint8_t*>(array.buffers[0]);
  if (array.null_count > 0 && stored.validity == nullptr) return malformed(column, "must tell which rows are missing");
  if (has_views(layout)) {
    auto blocks = blocks_of_views(array);
    if (!blocks) return malformed(column, "must have all buffers of bytes, and their sizes");
    stored.blocks = holdings.blocks.emplace_back(*std::move(blocks));
  } else if (layout.buffers == kBuffersOfTexts) {
    stored.blocks = holdings.blocks.emplace_back(block_of_offsets(layout, array, stored));
  }
  if (layout.dictionary != nullptr) {
    TACET_TRY(const StoredColumn texts, read_column(*layout.dictionary, *array.dictionary, column, holdings));
    stored.dictionary = &holdings.dictionaries.emplace_back(texts);
  }
  return stored;
}

}  // namespace tacet
