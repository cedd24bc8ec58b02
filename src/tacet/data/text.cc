#include "tacet/data/text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace tacet::data {
namespace {

bool is_bare(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

}  // namespace

std::string in_quotes(std::string_view text) {
  // A string of JSON is one of TOML, but for the character DEL, which TOML wants escaped.
  std::string quoted = nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = quoted.find('\x7F'); at != std::string::npos; at = quoted.find('\x7F', at)) quoted.replace(at, 1, "\\u007F");
  return quoted;
}

std::string toml_key(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_bare) ? std::string(name) : in_quotes(name);
}

}  // namespace tacet::data
