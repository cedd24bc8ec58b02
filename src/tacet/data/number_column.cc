#include "tacet/data/number_column.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include <duckdb.h>

#include "tacet/base/wide.h"

namespace tacet::data {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kExactIntegers = std::int64_t{1} << 53;
// 10^22 is the largest power of ten that is a double.
constexpr std::array<double, 23> kPowersOfTen{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// A number outside the range of doubles: strtod decides between infinity and 0, in the C locale.
double out_of_range(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

// 10^-scale times an integer, correctly rounded: a quotient of exact doubles, or decimal text.
double decimal(Int128 value, std::uint8_t scale) {
  if (value <= kExactIntegers && value >= -kExactIntegers && scale < kPowersOfTen.size())
    return static_cast<double>(static_cast<std::int64_t>(value)) / kPowersOfTen[scale];
  return read_number(to_string(value) + "e-" + std::to_string(scale));
}

template <class Stored>
void convert(const NumberColumn& column, std::size_t begin, std::size_t count, double* out) {
  // memcpy, because DuckDB aligns to 8 bytes, too little for our Int128.
  const auto* const from = static_cast<const char*>(column.values) + begin * sizeof(Stored);
  for (std::size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, from + i * sizeof(Stored), sizeof(Stored));
    if constexpr (std::is_floating_point_v<Stored>) {
      out[i] = static_cast<double>(value);
    } else {  // rounds to nearest, the mode in which a program starts
      out[i] = column.kind.scale == 0 ? static_cast<double>(value) : decimal(static_cast<Int128>(value), column.kind.scale);
    }
  }
}

bool is_valid(const std::uint64_t* validity, std::size_t row) { return ((validity[row / 64] >> (row % 64)) & 1U) != 0; }

// Word by word, because most values are not NULL.
void erase_nulls(const std::uint64_t* validity, std::size_t begin, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count;) {
    const std::size_t bit = (begin + i) % 64;
    const std::size_t rows = std::min(64 - bit, count - i);
    std::uint64_t nulls = ~validity[(begin + i) / 64] >> bit;
    if (rows < 64) nulls &= (std::uint64_t{1} << rows) - 1;
    for (; nulls != 0; nulls &= nulls - 1) out[i + static_cast<std::size_t>(std::countr_zero(nulls))] = kNaN;
    i += rows;
  }
}

void convert_texts(const NumberColumn& column, std::size_t begin, std::size_t count, double* out) {
  const auto* const texts = static_cast<const duckdb_string_t*>(column.values);
  for (std::size_t i = 0; i < count; ++i) {
    // The text of a NULL may point anywhere.
    if (column.validity != nullptr && !is_valid(column.validity, begin + i)) continue;
    duckdb_string_t text = texts[begin + i];
    out[i] = read_number({duckdb_string_t_data(&text), duckdb_string_t_length(text)});
  }
}

// False for a type without numbers.
bool convert(const NumberColumn& column, std::size_t begin, std::size_t count, double* out) {
  const auto as = [&]<class Stored>(Stored) {
    convert<Stored>(column, begin, count, out);
    return true;
  };
  switch (column.kind.type) {
    case DUCKDB_TYPE_DOUBLE: return as(double{});
    case DUCKDB_TYPE_FLOAT: return as(float{});
    case DUCKDB_TYPE_BOOLEAN: return as(std::uint8_t{});
    case DUCKDB_TYPE_TINYINT: return as(std::int8_t{});
    case DUCKDB_TYPE_SMALLINT: return as(std::int16_t{});
    case DUCKDB_TYPE_INTEGER: return as(std::int32_t{});
    case DUCKDB_TYPE_BIGINT: return as(std::int64_t{});
    case DUCKDB_TYPE_HUGEINT: return as(Int128{});
    case DUCKDB_TYPE_UTINYINT: return as(std::uint8_t{});
    case DUCKDB_TYPE_USMALLINT: return as(std::uint16_t{});
    case DUCKDB_TYPE_UINTEGER: return as(std::uint32_t{});
    case DUCKDB_TYPE_UBIGINT: return as(std::uint64_t{});
    case DUCKDB_TYPE_UHUGEINT: return as(UInt128{});
    case DUCKDB_TYPE_VARCHAR: convert_texts(column, begin, count, out); return true;
    default: return false;
  }
}

}  // namespace

bool holds_numbers(const NumberKind& kind) { return convert({kind, nullptr, nullptr}, 0, 0, nullptr); }

double read_number(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return kNaN;
  }
  double value = kNaN;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return kNaN;
  return error == std::errc::result_out_of_range ? out_of_range(text) : value;
}

const double* read_numbers(const NumberColumn& column, std::size_t begin, std::size_t count, const std::vector<double>& missing,
                           double* buffer) {
  const bool as_it_is = column.kind.type == DUCKDB_TYPE_DOUBLE && column.validity == nullptr && missing.empty();
  if (as_it_is) return static_cast<const double*>(column.values) + begin;
  (void)convert(column, begin, count, buffer);
  for (double absent : missing) {
    if (column.kind.type == DUCKDB_TYPE_FLOAT) absent = static_cast<double>(static_cast<float>(absent));
    for (std::size_t i = 0; i < count; ++i) buffer[i] = buffer[i] == absent ? kNaN : buffer[i];
  }
  if (column.validity != nullptr) erase_nulls(column.validity, begin, count, buffer);
  return buffer;
}

}  // namespace tacet::data
