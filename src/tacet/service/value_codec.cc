#include "tacet/service/value_codec.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/json_kind.h"

namespace tacet::service {
namespace {

constexpr std::size_t kShownOfAValue = 40;
constexpr std::uint64_t kMostWhole = std::uint64_t{1} << 53;  // exact as doubles up to here

/// A text that is not itself a JSON list.
bool is_plain_text(const Json& value) { return value.is_string() && !value.get_ref<const std::string&>().starts_with('['); }

/// Without leading and trailing blanks and tabs.
std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t";
  const std::size_t from = text.find_first_not_of(kBlanks);
  return from == std::string::npos ? std::string() : text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

/// "a, b" as its items; a text without commas is one item.
std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> items;
  std::size_t from = 0;
  for (std::size_t comma = text.find(','); comma != std::string::npos; from = comma + 1, comma = text.find(',', from))
    items.push_back(trimmed(text.substr(from, comma - from)));
  items.push_back(trimmed(text.substr(from)));
  return items;
}

/// A JSON list, or a string that contains one.
Result<Json> json_list(const Json& value, const std::string& name, const std::string& rule) {
  if (value.is_array()) return value;
  const auto text = value.get<std::string>();
  auto list = mechanisms::parse_json(text, name, "text");
  if (list && list->is_array()) return list;
  return Error::invalid(name, text.substr(0, kShownOfAValue), rule);
}

/// The digits as they were written, or as the shortest decimal that reads back as the JSON number.
std::string digits_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

Result<double> number_of(const std::string& name, const std::string& text) {
  const auto value = Decimal::parse(text);
  const double nearest = value.ok() ? value->approximate() : INFINITY;
  if (!std::isfinite(nearest)) return Error::invalid(name, text.substr(0, kShownOfAValue), "must be a finite decimal number");
  return nearest;
}

Result<std::vector<std::string>> items_of(const Json& value, const std::string& name) {
  if (is_plain_text(value)) return between_commas(value.get<std::string>());
  constexpr const char* kRule = "must be numbers with commas between them, or a JSON list of numbers";
  TACET_TRY(const Json list, value.is_number() ? Result<Json>(Json::array({value})) : json_list(value, name, kRule));
  if (list.empty()) return Error::invalid(name, "an empty list", kRule);
  std::vector<std::string> items;
  for (const Json& item : list) {
    if (!item.is_string() && !item.is_number()) return Error::invalid(name, "a list with " + mechanisms::json_kind(item), kRule);
    items.push_back(digits_of(item));
  }
  return items;
}

}  // namespace

Json kind_schema(FieldKind kind) {
  Json number = {{"type", {"number", "string"}}};
  switch (kind) {
    case FieldKind::Text: return {{"type", "string"}};
    case FieldKind::Number: return number;
    case FieldKind::Flag: return {{"type", "boolean"}};
    case FieldKind::List: return {{"anyOf", {{{"type", "string"}}, Codec<std::vector<std::string>>::schema()}}};
    case FieldKind::Numbers: return {{"anyOf", {number, {{"type", "array"}, {"items", number}}}}};
  }
  return Json::object();
}

Json type_schema(const char* type) { return {{"type", type}}; }

Json or_null(Json schema) { return {{"anyOf", {std::move(schema), {{"type", "null"}}}}}; }

Json list_of(Json schema) { return {{"type", "array"}, {"items", std::move(schema)}}; }

Json map_of(Json schema) { return {{"type", "object"}, {"additionalProperties", std::move(schema)}}; }

Json one_of(const std::vector<std::string_view>& names) { return {{"enum", names}}; }

Json Codec<std::uint64_t>::schema() { return {{"type", "integer"}, {"minimum", 0}}; }

Result<std::string> Codec<std::string>::read(const Json& value, const std::string& /*name*/) { return value.get<std::string>(); }

Result<double> Codec<double>::read(const Json& value, const std::string& name) { return number_of(name, digits_of(value)); }

Json Codec<double>::write(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Result<std::uint64_t> Codec<std::uint64_t>::read(const Json& value, const std::string& name) {
  return read_whole_number(value, name, 0, kMostWhole);
}

Result<Digits> Codec<Digits>::read(const Json& value, const std::string& /*name*/) { return Digits(digits_of(value)); }

Result<std::vector<std::string>> Codec<std::vector<std::string>>::read(const Json& value, const std::string& name) {
  std::vector<std::string> items;
  if (is_plain_text(value)) {
    items = between_commas(value.get<std::string>());
  } else {
    TACET_TRY(const Json list, json_list(value, name, "must be names with commas between them, or a JSON list of texts"));
    for (const Json& item : list) {
      if (!item.is_string()) return Error::invalid(name, "a list with " + mechanisms::json_kind(item), "must be a list of texts");
      items.push_back(item.get<std::string>());
    }
  }
  if (std::find(items.begin(), items.end(), "") == items.end()) return items;
  return Error::invalid(name, items.size() == 1 ? "" : "a list with an empty item", "must be names with commas between them",
                        "for example: a,b");
}

Result<std::vector<double>> Codec<std::vector<double>>::read(const Json& value, const std::string& name) {
  TACET_TRY(const std::vector<std::string> items, items_of(value, name));
  std::vector<double> numbers;
  numbers.reserve(items.size());
  for (const std::string& item : items) {
    TACET_TRY(const double number, number_of(name, item));
    numbers.push_back(number);
  }
  return numbers;
}

Json Codec<std::vector<double>>::write(const std::vector<double>& value) {
  Json list = Json::array();
  for (const double item : value) list.push_back(Codec<double>::write(item));
  return list;
}

Result<std::vector<std::uint64_t>> Codec<std::vector<std::uint64_t>>::read(const Json& value, const std::string& name) {
  TACET_TRY(const std::vector<std::string> items, items_of(value, name));
  std::vector<std::uint64_t> numbers;
  for (const std::string& item : items) {
    TACET_TRY(const std::uint64_t number, read_whole_number(item, name, 0, kMostWhole));
    numbers.push_back(number);
  }
  return numbers;
}

Result<std::vector<Digits>> Codec<std::vector<Digits>>::read(const Json& value, const std::string& name) {
  TACET_TRY(std::vector<std::string> items, items_of(value, name));
  return std::vector<Digits>(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
}

Json Codec<std::vector<Digits>>::write(const std::vector<Digits>& value) {
  Json list = Json::array();
  for (const Digits& item : value) list.push_back(item.text());
  return list;
}

Json Codec<mechanisms::Matrix>::write(const mechanisms::Matrix& value) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < value.rows; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < value.columns; ++j) row.push_back(Codec<double>::write(value.at(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::uint64_t> read_whole_number(const Json& value, const std::string& name, std::uint64_t least, std::uint64_t most) {
  const std::string text = digits_of(value);
  const auto wrong = [&] {
    return Error::invalid(name, text.substr(0, kShownOfAValue), fmt::format("must be a whole number between {} and {}", least, most));
  };
  const auto decimal = Decimal::parse(text);
  if (!decimal || *decimal < Decimal()) return wrong();
  const mpq_class exact = decimal->to_rational();
  if (exact.get_den() != 1 || !exact.get_num().fits_ulong_p()) return wrong();
  const std::uint64_t whole = exact.get_num().get_ui();
  if (whole < least || whole > most) return wrong();
  return whole;
}

}  // namespace tacet::service
