#include "tacet/schemas/schema_fields.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {

const SchemaNode* find_field(const SchemaNode::Table& table, std::string_view name) {
  for (const auto& [key, node] : table) {
    if (key == name) return &node;
  }
  return nullptr;
}

Status only_known_fields(const SchemaNode::Table& table, const std::string& where, const std::vector<std::string>& known) {
  for (const auto& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return Error::schema("field", in_quotes(key) + where, "must be one of " + listed(known), did_you_mean(key, known));
  }
  return {};
}

Error missing_field(const std::string& name, const std::string& rule, const std::string& line) {
  return Error::schema(name, "not written", rule, "write: " + line);
}

Result<std::string> text_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr) return Error::schema(name, node.shown(), "must be text in quotes", remedy);
  if (text->empty()) return Error::schema(name, "\"\"", "must not be empty", remedy);
  if (text->find('\0') != std::string::npos) return Error::schema(name, node.shown(), "must not hold the character NUL", remedy);
  return *text;
}

Result<std::string> label_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  if (const auto* flag = std::get_if<bool>(&node.value)) return std::string(*flag ? "true" : "false");
  if (const auto* number = std::get_if<SchemaNode::Integer>(&node.value)) return number->value.to_rational().get_num().get_str();
  if (!std::holds_alternative<std::string>(node.value)) {
    return Error::schema(name, node.shown(), "must be text, an integer or true or false", "write it in quotes, as it stands in the data");
  }
  return text_of(node, name, remedy);
}

Result<std::vector<std::string>> labels_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  const auto* list = std::get_if<SchemaNode::List>(&node.value);
  if (list == nullptr) return Error::schema(name, node.shown(), "must be a list", remedy);
  if (list->empty()) return Error::schema(name, "[]", "must list at least one value", remedy);
  std::vector<std::string> labels;
  std::set<std::string> seen;
  for (const SchemaNode& item : *list) {
    TACET_TRY(std::string label, label_of(item, name, remedy));
    if (!seen.insert(label).second) return Error::schema(name, node.shown(), "must list each value once", "delete one " + in_quotes(label));
    labels.push_back(std::move(label));
  }
  return labels;
}

Result<Decimal> number_of(const SchemaNode& node, const std::string& name) {
  if (const auto* integer = std::get_if<SchemaNode::Integer>(&node.value)) return integer->value;
  if (const auto* fraction = std::get_if<SchemaNode::Fraction>(&node.value)) return fraction->value;
  if (const auto* text = std::get_if<std::string>(&node.value)) {
    if (Result<Decimal> decimal = Decimal::parse(*text); decimal.ok()) return decimal;
  }
  return Error::schema(name, node.shown(), "must be a decimal number", "for example: 0.5, 3 or 1e-9");
}

Result<Decimal> date_of(const SchemaNode& node, const std::string& name) {
  constexpr double kFirstDay = -719'162, kLastDay = 2'932'896;  // 0001-01-01 and 9999-12-31
  const Error refused = Error::schema(name, node.shown(), "must be a date of the years 1 to 9999, or whole days since 1970-01-01",
                                      "for example: 1900-01-01 in TOML, or \"1900-01-01\"");
  std::optional<Decimal> days;
  if (const auto* integer = std::get_if<SchemaNode::Integer>(&node.value)) days = integer->value;
  const auto* text = std::get_if<std::string>(&node.value);
  if (const auto* date = std::get_if<SchemaNode::Date>(&node.value)) text = &date->text;
  if (text != nullptr) {
    days = day_of(*text);
    if (Result<Decimal> number = Decimal::parse(*text); !days && number.ok() && number->to_rational().get_den() == 1)
      days = *std::move(number);
  }
  if (!days || days->approximate() < kFirstDay || days->approximate() > kLastDay) return refused;
  return *std::move(days);
}

Result<bool> flag_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  const auto* flag = std::get_if<bool>(&node.value);
  if (flag == nullptr) return Error::schema(name, node.shown(), "must be true or false", remedy);
  return *flag;
}

Result<char> character_of(const SchemaNode& node, const std::string& name, const std::string& example) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr || text->size() != 1 || static_cast<unsigned char>(text->front()) >= 0x80 || text->front() == '\0' ||
      text->front() == '\n' || text->front() == '\r') {
    return Error::schema(name, node.shown(), "must be one ASCII character, and no line break", "for example: " + example);
  }
  return text->front();
}

}  // namespace tacet::schemas
