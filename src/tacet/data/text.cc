#include "tacet/data/text.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace tacet::data {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

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

bool is_bare(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const std::uint8_t first = byte_at(text, at);
    if (length == 0) {
      out += kReplacement;
      ++at;
      continue;
    }
    switch (first) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\t': out += "\\t"; break;
      case '\n': out += "\\n"; break;
      case '\f': out += "\\f"; break;
      case '\r': out += "\\r"; break;
      default:
        if (first < 0x20 || first == 0x7F) {
          out += fmt::format("\\u{:04X}", first);
        } else {
          out += text.substr(at, length);
        }
    }
    at += length;
  }
  return out + "\"";
}

std::string toml_key(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_bare) ? std::string(name) : in_quotes(name);
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace tacet::data
