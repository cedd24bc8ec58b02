#include "tacet/data/canonical_schema.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/data/declared.h"
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

/// An ASCII character that is no line break.
bool is_plain(char c) { return c > 0 && c != '\n' && c != '\r'; }

bool is_sound(const CsvDialect& csv) {
  if (!csv.quote && (csv.escape || csv.line_breaks_in_quotes)) return false;
  for (const std::optional<char>& special : {csv.quote, csv.escape}) {
    if (!special) continue;
    if (!is_plain(*special) || (csv.delimiter ? *special == *csv.delimiter : *special == ',' || *special == '\t')) return false;
  }
  return !csv.delimiter || is_plain(*csv.delimiter);
}

bool is_sound(const Column& column) {
  if (!column.categories) return column.bins.empty();
  const auto& [labels, declared, other, missing] = *column.categories;
  if (declared > labels.size() || other >= labels.size() || missing >= labels.size()) return false;
  // The text of bins has their edges and the name of the last cell; the other names follow.
  std::vector<std::string> cells = bin_labels(column.bins, column.text.date);
  cells.push_back(labels.back());
  return column.bins.empty() || labels == cells;
}

bool is_sound(const Contributions& contributions) {
  const auto is_limit = [](std::int64_t limit) { return limit >= 1 && limit <= kMostContributions; };
  return is_limit(contributions.rows) && is_limit(contributions.groups.value_or(1));
}

}  // namespace

std::string number_text(const Decimal& number, bool date) {
  return date ? date_text(number.to_rational().get_num().get_si()) : number.to_string();
}

std::vector<std::string> bin_labels(const std::vector<Decimal>& edges, bool dates) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const char* const under = i + 2 < edges.size() ? "under " : "";
    labels.push_back(fmt::format("{} to {}{}", number_text(edges[i], dates), under, number_text(edges[i + 1], dates)));
  }
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

bool is_sound(const Schema& schema) {
  std::vector<std::string> public_columns;
  for (const Column& column : schema.columns) {
    if (!is_sound(column)) return false;
    if (column.public_membership) public_columns.push_back(column.name);
  }
  const std::vector<std::string> names = sorted(schema.names());
  if (std::adjacent_find(names.begin(), names.end()) != names.end()) return false;
  if (sorted(public_columns) != schema.relation.public_columns() || !is_sound(schema.csv)) return false;
  if (schema.table && schema.table->find('\0') != std::string::npos) return false;  // would cut a query short
  const std::optional<Contributions>& people = schema.contributions;
  return !people || (is_sound(*people) && public_columns.empty() && schema.find(people->person) != nullptr);
}

Result<Declared> Declared::of(kernel::Terms terms, Schema schema) {
  const kernel::Declaration& declared = terms.declared();
  if (!is_sound(schema) || !(schema.relation == declared.relation) || canonical(schema) != declared.schema) {
    return Error::of(Code::LedgerCorrupt,
                     fmt::format("the terms of \"{}\" hold a schema that this version of Tacet cannot read", terms.dataset()),
                     "use the version of Tacet that wrote it, or a newer one");
  }
  return Declared(std::move(terms), std::move(schema));
}

}  // namespace tacet::data
