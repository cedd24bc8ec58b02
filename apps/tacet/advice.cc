#include "advice.h"

#include <algorithm>
#include <string_view>

namespace tacet::app {

std::string with_dashes(const std::string& advice, const std::vector<service::Field>& fields) {
  constexpr std::string_view kIs = " = ";
  std::string typed;
  std::size_t from = 0;
  for (std::size_t at = advice.find(kIs); at != std::string::npos; at = advice.find(kIs, from)) {
    const std::size_t blank = advice.find_last_of(" (`", at - 1);
    const std::size_t word = at == 0 || blank == std::string::npos ? 0 : blank + 1;
    const std::string name = advice.substr(word, at - word);
    const bool known =
        word >= from && std::any_of(fields.begin(), fields.end(), [&](const service::Field& field) { return field.name == name; });
    typed += known ? advice.substr(from, word - from) + "--" + name + " " : advice.substr(from, at + kIs.size() - from);
    from = at + kIs.size();
  }
  return typed + advice.substr(from);
}

}  // namespace tacet::app
