#include "tacet/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tacet::report {
namespace {

std::size_t width(const std::string& text) {
  // Bytes that do not continue a UTF-8 character.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string with_thousands(std::string digits) {
  const std::size_t sign = !digits.empty() && digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string printable(const std::string& text) {
  std::string safe = text;
  std::replace_if(safe.begin(), safe.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return safe;
}

std::string TextTable::render(const std::string& indent) const {
  std::vector<std::vector<std::string>> rows = rows_;
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (auto& row : rows) {
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

}  // namespace tacet::report
