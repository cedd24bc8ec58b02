#include "tacet/mechanisms/json_kind.h"

namespace tacet::mechanisms {

std::string json_kind(const nlohmann::json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "true or false";
  return value.is_null() ? "null" : "a number";
}

}  // namespace tacet::mechanisms
