#include "tacet/service/test_answer.h"

#include <optional>

#include "tacet/service/p_value_words.h"

namespace tacet::service {

std::string p_value_words(const Json& result) {
  const Json& p_value = result.at("p_value");
  return p_value_words(p_value.is_null() ? std::nullopt : std::optional(p_value.get<double>()), result.at("draws").get<std::size_t>());
}

}  // namespace tacet::service
