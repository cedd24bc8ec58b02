#include "tacet/base/text.h"

#include <nlohmann/json.hpp>

namespace tacet {

std::string in_quotes(std::string_view text) {
  // A JSON string is a TOML string, except that TOML needs DEL escaped.
  std::string quoted = nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = quoted.find('\x7F'); at != std::string::npos; at = quoted.find('\x7F', at)) quoted.replace(at, 1, "\\u007F");
  return quoted;
}

bool is_utf8(std::string_view text) {
  using Handler = nlohmann::json::error_handler_t;  // of bytes that are not UTF-8
  return nlohmann::json(text).dump(-1, ' ', false, Handler::replace) == nlohmann::json(text).dump(-1, ' ', false, Handler::ignore);
}

}  // namespace tacet
