#include "tacet/report/text_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace tacet::report {
namespace {

struct Range {
  char32_t first, last;
};
// Characters that a terminal obeys or hides: controls, line and paragraph separators, and marks
// that change the writing direction.
constexpr std::array<Range, 6> kUnsafe = {
    {{0x00, 0x1F}, {0x7F, 0x9F}, {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE007F}}};
// Marks above or below the previous letter, and joiners.
constexpr std::array<Range, 5> kNoColumn = {{{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};
// Characters of two columns: East Asian scripts and pictures.
constexpr std::array<Range, 7> kTwoColumns = {
    {{0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0x1F300, 0x3FFFD}}};

template <std::size_t N>
bool among(char32_t letter, const std::array<Range, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [letter](const Range& range) { return letter >= range.first && letter <= range.last; });
}

struct Letter {
  char32_t value;
  std::size_t bytes;
};

/// The letter at `at`; empty if the bytes are not well-formed UTF-8.
std::optional<Letter> letter_at(const std::string& text, std::size_t at) {
  const auto byte = [&text](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t lead = byte(at);
  if (lead < 0x80) return Letter{lead, 1};
  const std::size_t bytes = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 0;
  if (bytes == 0 || text.size() - at < bytes) return std::nullopt;
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return std::nullopt;
    value = value << 6U | (byte(at + i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[bytes] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return std::nullopt;
  return Letter{value, bytes};
}

/// The number of columns of printable text.
std::size_t width(const std::string& text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<Letter> letter = letter_at(text, at);
    if (letter && !among(letter->value, kNoColumn)) columns += among(letter->value, kTwoColumns) ? 2 : 1;
    at += letter ? letter->bytes : 1;
  }
  return columns;
}

/// Unsafe characters become "?", except `allowed`.
std::string printable_but(const std::string& text, std::optional<char32_t> allowed) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<Letter> letter = letter_at(text, at);
    const std::size_t bytes = letter ? letter->bytes : 1;
    if (letter && (letter->value == allowed || !among(letter->value, kUnsafe))) {
      safe.append(text, at, bytes);
    } else {
      safe += '?';
    }
    at += bytes;
  }
  return safe;
}

std::string with_thousands(std::string digits) {
  const std::size_t sign = !digits.empty() && digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string printable(const std::string& text) { return printable_but(text, std::nullopt); }

std::string printable_lines(const std::string& text) { return printable_but(text, U'\n'); }

std::string TextTable::render(const std::string& indent) const {
  std::vector<std::vector<std::string>> rows = rows_;
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (auto& row : rows) {
    row.resize(widths.size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
      row[i] = printable(row[i]);
      widths[i] = std::max(widths[i], width(row[i]));
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = indent;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string space(widths[i] - width(rows[r][i]), ' ');
      line += (i == 0 ? rows[r][i] + space : "  " + space + rows[r][i]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    if (r == 0) {
      std::size_t total = 2 * (widths.size() - 1);
      for (const std::size_t w : widths) total += w;
      out += indent + std::string(total, '-') + "\n";
    }
  }
  return out;
}

std::string readable(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (std::abs(value) >= 100 || value == std::floor(value)) {
    return std::abs(value) < 1e15 ? with_thousands(fmt::format("{:.0f}", value == 0 ? 0.0 : value)) : fmt::format("{:.3g}", value);
  }
  return fmt::format("{:.3g}", value);
}

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && std::strchr("_-./+:,=@%", c) != nullptr);
  };
  std::string safe = printable(text);
  if (!safe.empty() && safe[0] != '-' && std::all_of(safe.begin(), safe.end(), plain)) return safe;
  std::string quoted = safe.starts_with('-') ? "'./" : "'";
  for (const char c : safe) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace tacet::report
