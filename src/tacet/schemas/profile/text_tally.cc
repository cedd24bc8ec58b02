#include "tacet/schemas/profile/text_tally.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/stored_column.h"

namespace tacet::schemas {
namespace {

/// At most `most` bytes that end with a whole character.
std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

bool before(const TextCount& a, const TextCount& b) { return a.rows != b.rows ? a.rows > b.rows : a.text < b.text; }

/// Letters in lower case, without spaces, dashes and underscores.
std::string plain_letters(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '-' || c == '_') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

std::string shown_text(std::string_view text) {
  const std::string_view part = first_bytes(text, kLongestText);
  const std::string end = part.size() < text.size() ? "..." : "";
  if (is_utf8(part)) return std::string(part) + end;
  std::string out;
  for (const char c : part) {
    if (static_cast<unsigned char>(c) < 0x80) {
      out += c;
    } else {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out + end;
}

void TextTally::add(std::string_view text, std::int64_t rows) {
  const std::string_view key = text.substr(0, kLongestKey);
  if (const auto known = counts_.find(key); known != counts_.end()) {
    known->second += rows;
  } else if (counts_.size() < most_) {
    counts_.emplace(key, rows);
  } else {
    complete_ = false;
  }
}

std::vector<TextCount> TextTally::most_frequent(std::size_t most) const {
  std::vector<TextCount> all;
  all.reserve(counts_.size());
  for (const auto& [text, rows] : counts_) all.push_back({text, rows});
  const std::size_t kept = std::min(most, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), before);
  all.resize(kept);
  for (TextCount& one : all) one.text = shown_text(one.text);
  return all;
}

std::vector<TextCount> TextTally::by_text() const {
  std::vector<TextCount> all = most_frequent(counts_.size());
  std::sort(all.begin(), all.end(), [](const TextCount& a, const TextCount& b) { return a.text < b.text; });
  return all;
}

std::optional<TextCount> TextTally::like(std::string_view written) const {
  const std::string letters = plain_letters(written);
  const double number = data::read_number(written);
  std::optional<TextCount> best;
  for (const auto& [text, rows] : counts_) {
    const bool same_number = !std::isnan(number) && data::read_number(text) == number;
    if (!same_number && (letters.empty() || plain_letters(text) != letters)) continue;
    const TextCount found{text, rows};
    if (!best || before(found, *best)) best = found;
  }
  if (best) best->text = shown_text(best->text);
  return best;
}

}  // namespace tacet::schemas
