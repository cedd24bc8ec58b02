#include "cli/json_schema.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace tacet::test {
namespace {

using service::Json;

std::string type_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "boolean";
  if (value.is_string()) return "string";
  if (value.is_array()) return "array";
  if (value.is_object()) return "object";
  return value.is_number_integer() ? "integer" : "number";
}

bool has_type(const Json& value, const std::string& type) { return type_of(value) == type || (type == "number" && value.is_number()); }

std::string object_violation(const Json& schema, const Json& value, const std::string& where) {
  for (const Json& name : schema.value("required", Json::array())) {
    if (!value.contains(name.get<std::string>())) return fmt::format("{}: lacks {}", where, name.get<std::string>());
  }
  const Json properties = schema.value("properties", Json::object());
  const Json others = schema.value("additionalProperties", Json(true));
  for (const auto& [name, item] : value.items()) {
    const std::string inside = where.empty() ? name : where + "." + name;
    const Json* expected = properties.contains(name) ? &properties.at(name) : others.is_object() ? &others : nullptr;
    if (expected == nullptr && others == Json(false)) return fmt::format("{}: is not in the schema", inside);
    if (expected == nullptr) continue;
    if (std::string found = violation(*expected, item, inside); !found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string violation(const Json& schema, const Json& value, const std::string& where) {
  static const std::set<std::string> known = {
      "type", "enum", "anyOf", "items", "minimum", "properties", "required", "additionalProperties", "description"};
  for (const auto& [keyword, rule] : schema.items()) {
    if (!known.contains(keyword)) return fmt::format("{}: the keyword {} is not known", where, keyword);
  }
  if (schema.contains("anyOf")) {
    const Json& ways = schema.at("anyOf");
    if (std::none_of(ways.begin(), ways.end(), [&](const Json& way) { return violation(way, value, where).empty(); }))
      return fmt::format("{}: is {}, which no alternative allows", where, type_of(value));
  }
  if (schema.contains("enum")) {
    const Json& names = schema.at("enum");
    if (std::find(names.begin(), names.end(), value) == names.end()) return fmt::format("{}: {} is not in the list", where, value.dump());
  }
  if (schema.contains("type")) {
    const Json types = schema.at("type").is_array() ? schema.at("type") : Json::array({schema.at("type")});
    if (std::none_of(types.begin(), types.end(), [&](const Json& type) { return has_type(value, type.get<std::string>()); }))
      return fmt::format("{}: is {}, must be {}", where, type_of(value), types.dump());
  }
  if (schema.contains("minimum") && value.is_number() && value.get<double>() < schema.at("minimum").get<double>())
    return fmt::format("{}: is below its minimum", where);
  if (value.is_array() && schema.contains("items")) {
    for (const Json& item : value) {
      if (std::string found = violation(schema.at("items"), item, where + "[]"); !found.empty()) return found;
    }
  }
  return value.is_object() ? object_violation(schema, value, where) : std::string();
}

}  // namespace tacet::test
