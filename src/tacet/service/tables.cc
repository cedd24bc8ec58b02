#include <utility>

#include <fmt/format.h>

#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"

namespace tacet::service {
namespace {

/// "a, b or c".
std::string alternatives(const Json& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* between = i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    out += between + names[i].get<std::string>();
  }
  return out;
}

/// A default as people write it; empty if there is none.
std::string in_words(const Json& usual) {
  if (usual.is_null() || usual.empty() || (usual.is_boolean() && !usual.get<bool>())) return {};
  if (usual.is_string()) return usual.get<std::string>();
  return usual.is_array() ? std::string() : usual.dump();
}

}  // namespace

Field request_field(std::string_view name, std::string_view placeholder, std::string_view help, FieldKind kind, bool required, Json schema,
                    const Json& usual) {
  const Json& names = schema.contains("anyOf") ? schema.at("anyOf")[0] : schema;
  std::string all(help);
  if (names.contains("enum")) all = alternatives(names.at("enum")) + (all.empty() ? "" : "; ") + all;
  const std::string otherwise = in_words(usual);
  if (!otherwise.empty()) all += fmt::format("; {} if not given", otherwise);
  return {std::string(name), std::string(placeholder), std::move(all), kind, required, false, std::move(schema)};
}

AnswerField answer_field(std::string_view name, std::string_view meaning, Json schema) {
  return {std::string(name), std::string(meaning), std::move(schema)};
}

Json request_schema(const std::vector<Field>& fields) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : fields) {
    Json property = field.schema.is_null() ? kind_schema(field.kind) : field.schema;
    property["description"] = field.help;
    properties[field.name] = std::move(property);
    if (field.required) required.push_back(field.name);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}, {"additionalProperties", false}};
}

Json answer_schema(const std::vector<AnswerField>& fields) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const AnswerField& field : fields) {
    Json property = field.schema;
    property["description"] = field.meaning;
    properties[field.name] = std::move(property);
    if (field.always) required.push_back(field.name);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}, {"additionalProperties", false}};
}

}  // namespace tacet::service
