#include "tacet/data/canonical_schema.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/data/stored_column.h"

namespace tacet::data {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

Json json_of(const CsvDialect& csv) {
  Json json = Json::object();
  if (csv.delimiter) json["delimiter"] = std::string(1, *csv.delimiter);
  json["quote"] = csv.quote ? std::string(1, *csv.quote) : std::string();
  if (const std::optional<char> escape = csv.used_escape()) json["escape"] = std::string(1, *escape);
  json["header"] = csv.header;
  json["line_breaks_in_quotes"] = csv.line_breaks_in_quotes;
  return json;
}

/// The key of the value of a missing number. `missing` is taken where there are categories too.
const char* missing_number(const Column& column) { return column.categories ? "missing_number" : "missing"; }

Json json_of(const Column& column) {
  Json json = Json::object();
  if (!column.bins.empty()) {
    json["bins"] = Json::array();
    for (const Decimal& edge : column.bins) json["bins"].push_back(edge.to_string());
    json["missing"] = column.categories->labels.back();
  } else if (column.categories) {
    json["categories"] = column.categories->declared_labels();
    json["other"] = column.categories->labels[column.categories->other];
    json["missing"] = column.categories->labels[column.categories->missing];
    json["membership"] = column.membership();
  }
  if (column.bounds) {
    json["lower"] = column.bounds->lower.to_string();
    json["upper"] = column.bounds->upper.to_string();
    json["resolution"] = column.bounds->resolution.to_string();
    if (column.bounds->missing) json[missing_number(column)] = column.bounds->missing->to_string();
  }
  if (!column.missing_values.empty()) json["missing_values"] = sorted(column.missing_values);
  if (column.text.thousands) json["thousands"] = std::string(1, *column.text.thousands);
  if (column.text.decimal != '.') json["decimal"] = std::string(1, column.text.decimal);
  if (!column.text.unit.empty()) json["unit"] = column.text.unit;
  if (column.text.date) json["date"] = true;
  return json;
}

Json json_of(const Contributions& contributions) {
  Json json{{"person", contributions.person}, {"rows", contributions.rows}};
  if (contributions.groups) json["groups"] = *contributions.groups;
  return json;
}

// ---- Reading. A broken rule throws. Anything unknown or written differently is not written
// again, so the comparison finds it. ----

struct NotCanonical : std::exception {};

void require(bool holds) {
  if (!holds) throw NotCanonical();
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

/// A label, a name or a path. A NUL would truncate it in C interfaces.
std::string text_at(const Json& object, const char* key) {
  auto text = object.at(key).get<std::string>();
  require(!text.empty() && !has_nul(text));
  return text;
}

Decimal number_at(const Json& object, const char* key) {
  const auto number = Decimal::parse(text_at(object, key));
  require(number.ok());
  return *number;
}

/// A list without duplicates.
std::vector<std::string> texts_at(const Json& object, const char* key) {
  auto texts = object.at(key).get<std::vector<std::string>>();
  const std::vector<std::string> in_order = sorted(texts);
  require(std::adjacent_find(in_order.begin(), in_order.end()) == in_order.end() && std::none_of(texts.begin(), texts.end(), has_nul));
  return texts;
}

/// One ASCII character, not a line break; empty if the text is empty.
std::optional<char> character_at(const Json& object, const char* key) {
  const auto text = object.value(key, std::string());
  if (text.empty()) return std::nullopt;
  require(text.size() == 1 && static_cast<unsigned char>(text.front()) < 0x80 && !has_nul(text) && text != "\n" && text != "\r");
  return text.front();
}

CsvDialect read_csv(const Json& json) {
  CsvDialect csv{character_at(json, "delimiter"), character_at(json, "quote"), character_at(json, "escape"), json.at("header").get<bool>(),
                 json.at("line_breaks_in_quotes").get<bool>()};
  require(csv.quote || (!csv.escape && !csv.line_breaks_in_quotes));
  for (const std::optional<char>& special : {csv.quote, csv.escape})
    require(!special || (csv.delimiter ? *special != *csv.delimiter : *special != ',' && *special != '\t'));
  if (csv.escape == csv.quote) csv.escape.reset();
  return csv;
}

/// The index of the cell with this label, which is created if necessary.
std::size_t cell(Categories& categories, const std::string& label) {
  const auto found = std::find(categories.labels.begin(), categories.labels.end(), label);
  if (found != categories.labels.end()) return static_cast<std::size_t>(found - categories.labels.begin());
  categories.labels.push_back(label);
  return categories.labels.size() - 1;
}

Categories read_categories(const Json& json, const std::vector<std::string>& missing_values) {
  const std::vector<std::string> labels = texts_at(json, "categories");
  const std::string other = text_at(json, "other"), missing = text_at(json, "missing");
  // No value may count in two cells.
  const auto is_free = [&](const std::string& label) {
    return !label.empty() && std::find(missing_values.begin(), missing_values.end(), label) == missing_values.end();
  };
  require(!labels.empty() && std::all_of(labels.begin(), labels.end(), is_free) && (other == missing || is_free(other)));
  Categories categories{labels, labels.size(), 0, 0};
  categories.other = cell(categories, other);
  categories.missing = cell(categories, missing);
  return categories;
}

/// One cell for each bin, then that of missing numbers.
Categories read_bins(const Json& json, std::vector<Decimal>& edges) {
  const std::vector<std::string> texts = texts_at(json, "bins");
  require(texts.size() >= 2);
  Categories categories;
  for (const std::string& text : texts) {
    const auto edge = Decimal::parse(text);
    require(edge.ok() && (edges.empty() || edges.back() < *edge));
    edges.push_back(*edge);
  }
  categories.labels = bin_labels(edges, json.value("date", false));
  categories.declared = categories.labels.size();
  categories.labels.push_back(text_at(json, "missing"));
  require(cell(categories, categories.labels.back()) == categories.declared);
  categories.other = categories.missing = categories.declared;
  return categories;
}

Bounds read_bounds(const Json& json, const char* missing) {
  Bounds bounds{number_at(json, "lower"), number_at(json, "upper"), number_at(json, "resolution"), {}};
  if (json.contains(missing)) bounds.missing = number_at(json, missing);
  require(bounds.resolution.is_positive() && bounds.resolution <= bounds.upper - bounds.lower);
  require(!bounds.missing || (bounds.lower <= *bounds.missing && *bounds.missing <= bounds.upper));
  return bounds;
}

NumberText read_number_text(const Json& json) {
  NumberText text{character_at(json, "thousands"), character_at(json, "decimal").value_or('.'), json.value("unit", std::string()),
                  json.value("date", false)};
  const auto sign = [](char c) { return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == 'e' || c == 'E'; };
  require(!sign(text.decimal) && !(text.thousands && (sign(*text.thousands) || *text.thousands == text.decimal)));
  require(!has_nul(text.unit) && !(text.date && (text.thousands || text.decimal != '.' || !text.unit.empty())));
  return text;
}

Column read_column(const std::string& name, const Json& json) {
  Column column;
  column.name = name;
  if (json.contains("missing_values")) column.missing_values = texts_at(json, "missing_values");
  if (json.contains("bins")) {
    column.categories = read_bins(json, column.bins);
  } else if (json.contains("categories")) {
    column.categories = read_categories(json, column.missing_values);
    column.public_membership = text_at(json, "membership") == "public";
  }
  if (json.contains("lower")) column.bounds = read_bounds(json, missing_number(column));
  column.text = read_number_text(json);
  require(column.categories || column.bounds || column.missing_values.empty());
  require(column.bounds || !column.bins.empty() || column.text.usual());
  return column;
}

Contributions read_contributions(const Json& json) {
  Contributions contributions{text_at(json, "person"), json.at("rows").get<std::int64_t>(), {}};
  if (json.contains("groups")) contributions.groups = json["groups"].get<std::int64_t>();
  for (const std::int64_t limit : {contributions.rows, contributions.groups.value_or(1)})
    require(limit >= 1 && limit <= kMostContributions);
  return contributions;
}

Schema read(const Json& json) {
  Schema schema;
  const auto kind = named<kernel::Relation::Kind>("neighbours", text_at(json, "neighbours"));
  require(kind.ok() && json.at("columns").is_object() && !json["columns"].empty());
  schema.relation = *kind;
  schema.idealised = json.at("idealised").get<bool>();
  if (json.contains("table")) schema.table = text_at(json, "table");
  schema.csv = read_csv(json.at("csv"));
  std::vector<std::string> public_columns;
  for (const auto& [name, fields] : json["columns"].items()) {
    schema.columns.push_back(read_column(name, fields));
    if (schema.columns.back().public_membership) public_columns.push_back(name);
  }
  // Rows of one person may be in several groups, so who is in which cannot be public.
  if (json.contains("contributions")) schema.contributions = read_contributions(json["contributions"]);
  require(!schema.contributions || (public_columns.empty() && schema.find(schema.contributions->person) != nullptr));
  if (!public_columns.empty()) {
    auto within = kernel::Relation::within(std::move(public_columns));
    require(within.ok() && *kind == kernel::Relation::ReplaceOne);
    schema.relation = *std::move(within);
  }
  return schema;
}

}  // namespace

std::string number_text(const Decimal& number, bool date) {
  return date ? date_text(number.to_rational().get_num().get_si()) : number.to_string();
}

std::vector<std::string> bin_labels(const std::vector<Decimal>& edges, bool dates) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    labels.push_back(
        fmt::format("{} to {}{}", number_text(edges[i], dates), i + 2 < edges.size() ? "under " : "", number_text(edges[i + 1], dates)));
  return labels;
}

std::string canonical(const Schema& schema) {
  Json json{{"tacet", 1}, {"neighbours", name(schema.relation.kind())}, {"idealised", schema.idealised}};
  if (schema.table) json["table"] = *schema.table;
  json["csv"] = json_of(schema.csv);
  if (schema.contributions) json["contributions"] = json_of(*schema.contributions);
  json["columns"] = Json::object();
  for (const Column& column : schema.columns) json["columns"][column.name] = json_of(column);
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

Result<Schema> schema_from_canonical(std::string_view text) {
  const Error refused = Error::of(Code::SchemaInvalid, "the text is not a schema as Tacet writes it for the terms of a budget",
                                  "it must be kept as it was written, to the letter");
  try {
    Schema schema = read(Json::parse(text));
    return canonical(schema) == text ? Result<Schema>(std::move(schema)) : refused;
  } catch (const std::exception&) {  // of the JSON library, or NotCanonical
    return refused;
  }
}

}  // namespace tacet::data
