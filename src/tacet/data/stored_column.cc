#include "tacet/data/stored_column.h"

#include <locale.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace tacet::data {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kExactIntegers = std::int64_t{1} << 53;
// 10^22 is the largest power of ten that is a double.
constexpr std::array<double, 23> kPowersOfTen{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::int32_t kFirstDay = -719'162, kLastDay = 2'932'896;  // 0001-01-01 and 9999-12-31

// What is no number is read by its text.
template <class T>
constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_same_v<T, Bit> || std::is_same_v<T, Int128> || std::is_same_v<T, UInt128>;

// A number outside the range of doubles: infinity or 0, whatever the locale of the program is.
double out_of_range(std::string_view text) {
  static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strtod_l(std::string(text).c_str(), nullptr, c_locale);
}

// 10^-scale times an integer, correctly rounded: a quotient of exact doubles, or decimal text.
double decimal(Int128 value, std::uint8_t scale) {
  if (value <= kExactIntegers && value >= -kExactIntegers && scale < kPowersOfTen.size())
    return static_cast<double>(static_cast<std::int64_t>(value)) / kPowersOfTen[scale];
  return read_number(to_string(value) + "e-" + std::to_string(scale));
}

template <class T>
auto value_at(const StoredColumn& column, std::size_t row) {
  if constexpr (std::is_same_v<T, Bit>) {
    return is_set(column.values, column.offset + row);
  } else {
    T value;  // memcpy, because DuckDB and Arrow align to 8 bytes, too little for our Int128
    std::memcpy(&value, static_cast<const char*>(column.values) + (column.offset + row) * sizeof(T), sizeof(T));
    return value;
  }
}

std::string_view text_at(std::string_view /*kind*/, const StoredColumn& column, std::size_t row, std::string& /*buffer*/) {
  return value_at<std::string_view>(column, row);
}

std::string_view text_in(const StoredColumn& column, std::size_t block, std::int64_t begin, std::int64_t end) {
  if (begin == end) return {};
  const std::string_view bytes = block < column.blocks.size() ? column.blocks[block] : std::string_view();
  const bool sound = 0 <= begin && begin < end && static_cast<std::uint64_t>(end) <= bytes.size();
  return sound ? bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)) : kNoText;
}

template <class Offset>
std::string_view text_at(Text<Offset> /*kind*/, const StoredColumn& column, std::size_t row, std::string& /*buffer*/) {
  return text_in(column, 0, value_at<Offset>(column, row), value_at<Offset>(column, row + 1));
}

std::string_view text_at(View /*kind*/, const StoredColumn& column, std::size_t row, std::string& /*buffer*/) {
  const auto [size, prefix, block, begin] = value_at<View>(column, row);
  if (size < 0 || size > 12) return text_in(column, static_cast<std::size_t>(block), begin, std::int64_t{begin} + size);
  return {static_cast<const char*>(column.values) + (column.offset + row) * sizeof(View) + sizeof(size), static_cast<std::size_t>(size)};
}

std::string_view text_at(Date /*kind*/, const StoredColumn& column, std::size_t row, std::string& buffer) {
  return buffer = date_text(value_at<Date>(column, row).day);
}

template <class Number>
std::string_view text_at(Number /*kind*/, const StoredColumn& column, std::size_t row, std::string& buffer) {
  const auto value = value_at<Number>(column, row);
  buffer = fmt::format("{}", value);
  const std::size_t sign = buffer.starts_with('-') ? 1 : 0;
  if constexpr (std::is_floating_point_v<Number>) {
    if (buffer.find_first_not_of("0123456789", sign) == std::string::npos) buffer += ".0";
  } else if (column.scale > 0) {
    if (buffer.size() <= sign + column.scale) buffer.insert(sign, sign + column.scale + 1 - buffer.size(), '0');
    buffer.insert(buffer.size() - column.scale, 1, '.');
  }
  return buffer;
}

// Days since 1970-01-01, for 2024-05-31 with or without a time after it.
double read_date(std::string_view text) {
  int year = 0, month = 0, day = 0;
  const auto part = [&](std::size_t begin, std::size_t size, int& value) {
    const char* const first = text.data() + begin;
    const auto [end, error] = std::from_chars(first, first + size, value);
    return error == std::errc() && end == first + size && value >= 0;
  };
  const bool shaped = text.size() >= 10 && text[4] == '-' && text[7] == '-' && (text.size() == 10 || text[10] == ' ' || text[10] == 'T');
  if (!shaped || !part(0, 4, year) || !part(5, 2, month) || !part(8, 2, day)) return kNaN;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  return date.ok() ? static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) : kNaN;
}

// 1.234,5 as 1234.5. Empty, which is no number, unless separators enclose groups of three digits.
std::string plain_number(std::string_view text, const NumberText& form) {
  std::string plain;
  std::optional<std::size_t> group;  // digits since a separator
  bool whole = true;                 // before the decimal sign or an exponent
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    const bool separates = form.thousands == c && whole;
    if (!digit && whole && group && *group != 3) return {};
    if (separates && (plain.empty() || plain.back() < '0')) return {};
    if (!digit && !separates && c != '+' && c != '-') whole = false;
    if (separates) group = 0;
    if (digit && whole && group) ++*group;
    if (c == '.' && form.decimal != '.' && !separates) return {};
    if (!separates) plain += c == form.decimal ? '.' : c;
  }
  return whole && group && *group != 3 ? std::string() : plain;
}

}  // namespace

std::string date_text(std::int64_t day) {
  if (day < kFirstDay || day > kLastDay) return std::string(kNoText);
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return fmt::format("{:04}-{:02}-{:02}", int{date.year()}, unsigned{date.month()}, unsigned{date.day()});
}

bool has_texts(const StoredColumn& column) {
  const auto is_text = []<class T>(const T& /*kind*/) { return !kIsNumber<T> && !std::is_same_v<T, Date>; };
  return column.dictionary != nullptr || std::visit(is_text, column.kind);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

double read_number(std::string_view text, const NumberText& form) {
  text = trimmed(text);
  if (form.date) return read_date(text);
  if (!form.unit.empty() && text.ends_with(form.unit)) text = trimmed(text.substr(0, text.size() - form.unit.size()));
  if (form.thousands || form.decimal != '.') return read_number(plain_number(text, form));
  if (text.starts_with("+-")) return kNaN;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = kNaN;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return kNaN;
  return error == std::errc::result_out_of_range ? out_of_range(text) : value;
}

std::optional<std::string_view> text_of(const StoredColumn& column, std::size_t row, std::string& buffer) {
  if (column.validity != nullptr && !is_set(column.validity, column.offset + row)) return std::nullopt;
  const auto found = [&]<class T>(const T& kind) -> std::optional<std::string_view> {
    if constexpr (std::is_integral_v<T>) {
      // A negative position becomes too large. NOLINTNEXTLINE(bugprone-signed-char-misuse)
      const auto at = static_cast<std::uint64_t>(value_at<T>(column, row));
      if (column.dictionary != nullptr) return at < column.dictionary->rows ? text_of(*column.dictionary, at, buffer) : kNoText;
    }
    return text_at(kind, column, row, buffer);
  };
  return std::visit(found, column.kind);
}

const double* read_numbers(const StoredColumn& column, std::size_t begin, std::size_t count, const std::vector<double>& missing,
                           double* buffer, const NumberText& form) {
  // Every value is read once: memory that changes meanwhile cannot be two things to one row.
  const auto each = [&](const auto& number_of) {
    for (std::size_t i = 0; i < count; ++i) buffer[i] = number_of(begin + i);
  };
  const auto convert = [&]<class T>(const T& /*kind*/) {
    if constexpr (std::is_same_v<T, double>)
      return void(std::copy_n(static_cast<const T*>(column.values) + column.offset + begin, count, buffer));
    if constexpr (kIsNumber<T>) {
      const auto number_of = [&](std::size_t row) {  // integers are rounded to nearest, the mode in which a program starts
        const auto value = value_at<T>(column, row);
        return column.scale == 0 ? static_cast<double>(value) : decimal(static_cast<Int128>(value), column.scale);
      };
      if (column.dictionary == nullptr) return each(number_of);
    }
    if constexpr (std::is_same_v<T, Date>) return each([&](std::size_t row) { return static_cast<double>(value_at<T>(column, row).day); });
    std::string scratch;
    each([&](std::size_t row) { return read_number(text_of(column, row, scratch).value_or(""), form); });
  };
  std::visit(convert, column.kind);
  for (double absent : missing) {
    if (std::holds_alternative<float>(column.kind)) absent = static_cast<double>(static_cast<float>(absent));
    for (std::size_t i = 0; i < count; ++i) buffer[i] = buffer[i] == absent ? kNaN : buffer[i];
  }
  for (std::size_t i = 0; column.validity != nullptr && i < count; ++i) {
    if (!is_set(column.validity, column.offset + begin + i)) buffer[i] = kNaN;
  }
  return buffer;
}

}  // namespace tacet::data
