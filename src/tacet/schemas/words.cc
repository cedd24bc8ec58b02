#include "tacet/schemas/words.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/text.h"

namespace tacet::schemas {
namespace {

using data::in_quotes;

constexpr std::size_t kMostListed = 20;

std::uint8_t byte_at(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

// The length of the well-formed sequence that starts at `at`, or 0.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const std::uint8_t first = byte_at(text, at);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;   // else overlong
    if (first == 0xED) high = 0x9F;  // else a surrogate
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;   // else overlong
    if (first == 0xF4) high = 0x8F;  // else beyond U+10FFFF
  } else {
    return 0;
  }
  if (text.size() - at < length) return 0;
  if (byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// Levenshtein's distance in bytes.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, substituted}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kMostListed; ++i) out += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  if (names.size() > kMostListed) out += fmt::format(" and {} more", names.size() - kMostListed);
  return out;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(written.size(), candidate.size());
    if (longer - std::min(written.size(), candidate.size()) >= least) continue;  // no nearer than their lengths are
    const std::size_t d = distance(written, candidate);
    if (d < least) {
      least = d;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? std::string() : "did you mean " + in_quotes(*nearest) + "?";
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace tacet::schemas
