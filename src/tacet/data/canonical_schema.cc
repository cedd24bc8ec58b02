#include "tacet/data/canonical_schema.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tacet::data {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<std::string> declared_of(const Categories& categories) {
  return {categories.labels.begin(), categories.labels.begin() + static_cast<std::ptrdiff_t>(categories.declared)};
}

std::string membership_of(const Column& column) { return column.public_membership ? "public" : "private"; }

// The escape that is in force; nothing where quotes are ordinary characters.
std::optional<char> escape_of(const CsvDialect& csv) { return csv.quote && !csv.escape ? csv.quote : csv.escape; }

Json json_of(const CsvDialect& csv) {
  Json json = Json::object();
  if (csv.delimiter) json["delimiter"] = std::string(1, *csv.delimiter);
  json["quote"] = csv.quote ? std::string(1, *csv.quote) : std::string();
  if (const std::optional<char> escape = escape_of(csv)) json["escape"] = std::string(1, *escape);
  json["header"] = csv.header;
  json["line_breaks_in_quotes"] = csv.line_breaks_in_quotes;
  return json;
}

Json json_of(const Column& column) {
  Json json = Json::object();
  if (column.categories) {
    json["categories"] = declared_of(*column.categories);
    json["other"] = column.categories->labels[column.categories->other];
    json["missing"] = column.categories->labels[column.categories->missing];
    json["membership"] = membership_of(column);
  }
  if (column.bounds) {
    json["lower"] = column.bounds->lower.to_string();
    json["upper"] = column.bounds->upper.to_string();
    json["resolution"] = column.bounds->resolution.to_string();
    json["missing"] = column.bounds->missing.to_string();
  }
  if (!column.missing_values.empty()) json["missing_values"] = sorted(column.missing_values);
  return json;
}

// ---- Reading. Whatever has no place in the text, or is written differently, is not written again, and so found out. ----

/// Nothing for a text that cannot be a label, a name or a path: NUL would cut it short in the interfaces it passes through.
std::optional<std::string> text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  auto text = found->get<std::string>();
  if (text.empty() || text.find('\0') != std::string::npos) return std::nullopt;
  return text;
}

std::optional<Decimal> number_at(const Json& object, const char* key) {
  const auto number = Decimal::parse(text_at(object, key).value_or(""));
  return number.ok() ? std::optional<Decimal>(*number) : std::nullopt;
}

std::optional<bool> flag_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || !found->is_boolean() ? std::nullopt : std::optional<bool>(found->get<bool>());
}

/// Each once; nothing for a list that holds anything but texts.
std::optional<std::vector<std::string>> texts_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return std::nullopt;
  std::vector<std::string> texts;
  for (const Json& item : *found) {
    if (!item.is_string() || item.get<std::string>().find('\0') != std::string::npos) return std::nullopt;
    texts.push_back(item.get<std::string>());
  }
  const std::vector<std::string> in_order = sorted(texts);
  if (std::adjacent_find(in_order.begin(), in_order.end()) != in_order.end()) return std::nullopt;
  return texts;
}

/// One ASCII character, and no line break.
std::optional<char> character_at(const Json& object, const char* key) {
  const auto text = text_at(object, key);
  if (!text || text->size() != 1 || static_cast<unsigned char>(text->front()) >= 0x80 || *text == "\n" || *text == "\r")
    return std::nullopt;
  return text->front();
}

std::optional<CsvDialect> read_csv(const Json& json) {
  const auto header = flag_at(json, "header");
  const auto breaks = flag_at(json, "line_breaks_in_quotes");
  if (!header || !breaks) return std::nullopt;
  CsvDialect csv{character_at(json, "delimiter"), character_at(json, "quote"), character_at(json, "escape"), *header, *breaks};
  if (!csv.quote && (csv.escape || csv.line_breaks_in_quotes)) return std::nullopt;
  for (const std::optional<char>& special : {csv.quote, csv.escape}) {
    if (special && (csv.delimiter ? *special == *csv.delimiter : *special == ',' || *special == '\t')) return std::nullopt;
  }
  if (csv.escape == csv.quote) csv.escape.reset();
  return csv;
}

/// The index of the cell with this label, which is made if there is none.
std::size_t cell(Categories& categories, const std::string& label) {
  const auto found = std::find(categories.labels.begin(), categories.labels.end(), label);
  if (found != categories.labels.end()) return static_cast<std::size_t>(found - categories.labels.begin());
  categories.labels.push_back(label);
  return categories.labels.size() - 1;
}

std::optional<Categories> read_categories(const Json& json, const std::vector<std::string>& missing_values) {
  const auto labels = texts_at(json, "categories");
  const auto other = text_at(json, "other");
  const auto missing = text_at(json, "missing");
  if (!labels || labels->empty() || !other || !missing) return std::nullopt;
  const auto means_missing = [&](const std::string& label) {
    return std::find(missing_values.begin(), missing_values.end(), label) != missing_values.end();
  };
  // What would count in two cells.
  if (std::any_of(labels->begin(), labels->end(), [&](const std::string& label) { return label.empty() || means_missing(label); }))
    return std::nullopt;
  if (*other != *missing && means_missing(*other)) return std::nullopt;
  Categories categories{*labels, labels->size(), 0, 0};
  categories.other = cell(categories, *other);
  categories.missing = cell(categories, *missing);
  return categories;
}

std::optional<Bounds> read_bounds(const Json& json) {
  const auto lower = number_at(json, "lower"), upper = number_at(json, "upper");
  const auto resolution = number_at(json, "resolution"), missing = number_at(json, "missing");
  if (!lower || !upper || !resolution || !missing || *lower >= *upper) return std::nullopt;
  if (!resolution->is_positive() || *resolution > *upper - *lower || *missing < *lower || *missing > *upper) return std::nullopt;
  return Bounds{*lower, *upper, *resolution, *missing};
}

std::optional<Column> read_column(const std::string& name, const Json& json, kernel::Relation::Kind neighbours) {
  if (!json.is_object()) return std::nullopt;
  Column column{name, {}, {}, {}, false};
  if (json.contains("missing_values")) {
    const auto values = texts_at(json, "missing_values");
    if (!values) return std::nullopt;
    column.missing_values = *values;
  }
  if (json.contains("categories")) {
    column.categories = read_categories(json, column.missing_values);
    column.public_membership = text_at(json, "membership") == "public";
    if (!column.categories || (column.public_membership && neighbours != kernel::Relation::ReplaceOne)) return std::nullopt;
  } else if (json.contains("lower")) {
    column.bounds = read_bounds(json);
    if (!column.bounds) return std::nullopt;
  } else if (!column.missing_values.empty()) {
    return std::nullopt;
  }
  return column;
}

std::optional<Schema> read(const Json& json) {
  const auto idealised = json.is_object() ? flag_at(json, "idealised") : std::nullopt;
  const auto neighbours = idealised ? text_at(json, "neighbours") : std::nullopt;
  const auto kind = kernel::relation_kind_named(neighbours.value_or(""));
  if (!idealised || !kind.ok() || !json.contains("csv") || !json.contains("columns")) return std::nullopt;
  const Json& columns = json["columns"];
  const auto csv = json["csv"].is_object() ? read_csv(json["csv"]) : std::nullopt;
  if (!csv || !columns.is_object() || columns.empty()) return std::nullopt;
  Schema schema;
  schema.idealised = *idealised;
  schema.relation = *kind;
  schema.table = text_at(json, "table");
  schema.csv = *csv;
  std::vector<std::string> public_columns;
  for (const auto& [name, fields] : columns.items()) {
    const auto column = read_column(name, fields, *kind);
    if (!column) return std::nullopt;
    schema.columns.push_back(*column);
    if (column->public_membership) public_columns.push_back(name);
  }
  if (!public_columns.empty()) {
    auto within = kernel::Relation::within(std::move(public_columns));
    if (!within.ok()) return std::nullopt;
    schema.relation = *std::move(within);
  }
  return schema;
}

Error not_canonical() {
  return Error::of(Code::SchemaInvalid, "the text is not a schema as Tacet writes it for the terms of a budget",
                   "it must be kept as it was written, to the letter");
}

}  // namespace

std::string canonical(const Schema& schema) {
  Json json{{"tacet", 1}, {"neighbours", kernel::name(schema.relation.kind())}, {"idealised", schema.idealised}};
  if (schema.table) json["table"] = *schema.table;
  json["csv"] = json_of(schema.csv);
  json["columns"] = Json::object();
  for (const Column& column : schema.columns) json["columns"][column.name] = json_of(column);
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

Result<Schema> schema_from_canonical(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  auto schema = read(json);
  if (!schema || canonical(*schema) != text) return not_canonical();
  return *std::move(schema);
}

}  // namespace tacet::data
