// Schemas: JSON where the first character is a brace, and TOML otherwise.
//
// Holds    what is read has its cells in range, its texts in UTF-8 and its bounds in order; and
//          written down as JSON it is read again, the same.
#include "tacet/data/schema.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/schemas/schema_difference.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/schemas/words.h"

#include "support.h"

namespace {

using tacet::Decimal;
using tacet::data::Bounds;
using tacet::data::Categories;
using tacet::data::Column;
using tacet::data::Schema;
using tacet::fuzz::must;
using Json = nlohmann::ordered_json;

std::string utf8(const std::string& text) {
  must(tacet::is_utf8(text), "every text of a schema is UTF-8");
  return text;
}

void check(const Column& column) {
  must(column.bins.empty() || (column.categories && column.bins.size() >= 2), "bins are cells between two edges");
  must(std::is_sorted(column.bins.begin(), column.bins.end()), "the edges of bins increase");
  must(column.text.usual() || column.bounds || !column.bins.empty(), "only numbers have separators, units and dates");
  if (const auto& categories = column.categories) {
    must(categories->declared > 0 && categories->declared <= categories->labels.size(), "a column of categories has some");
    must(categories->other < categories->labels.size() && categories->missing < categories->labels.size(), "every value has a cell");
  }
  if (const auto& bounds = column.bounds) {
    must(bounds->lower < bounds->upper && bounds->resolution.is_positive(), "bounds are in order");
    must(!bounds->missing || (bounds->lower <= *bounds->missing && *bounds->missing <= bounds->upper),
         "a missing value lies between the bounds");
  }
}

Json written(const Column& column) {
  Json out = Json::object();
  if (!column.bins.empty()) {
    for (const Decimal& edge : column.bins) out["bins"].push_back(edge.to_string());
    out["missing"] = utf8(column.categories->labels.back());
  } else if (const auto& categories = column.categories) {
    for (std::size_t i = 0; i < categories->declared; ++i) out["categories"].push_back(utf8(categories->labels[i]));
    out["other"] = utf8(categories->labels[categories->other]);
    out["missing"] = utf8(categories->labels[categories->missing]);
    out["membership"] = column.public_membership ? "public" : "private";
  }
  if (const auto& bounds = column.bounds) {
    out["lower"] = bounds->lower.to_string();
    out["upper"] = bounds->upper.to_string();
    out["resolution"] = bounds->resolution.to_string();
    out[column.categories ? "missing_number" : "missing"] = bounds->missing ? bounds->missing->to_string() : "left out";
  }
  if (column.text.thousands) out["thousands"] = std::string(1, *column.text.thousands);
  if (column.text.decimal != '.') out["decimal"] = std::string(1, column.text.decimal);
  if (!column.text.unit.empty()) out["unit"] = utf8(column.text.unit);
  if (column.text.date) out["date"] = true;
  for (const std::string& value : column.missing_values) out["missing_values"].push_back(utf8(value));
  return out;
}

Json written(const Schema& schema) {
  Json csv = Json::object();
  if (schema.csv.delimiter) csv["delimiter"] = std::string(1, *schema.csv.delimiter);
  csv["quote"] = schema.csv.quote ? std::string(1, *schema.csv.quote) : "";
  if (schema.csv.escape) csv["escape"] = std::string(1, *schema.csv.escape);
  csv["header"] = schema.csv.header;
  csv["line_breaks_in_quotes"] = schema.csv.line_breaks_in_quotes;
  Json out = {{"tacet", 1},
              {"dataset", utf8(schema.dataset)},
              {"ledger", utf8(schema.ledger)},
              {"neighbours", tacet::name(schema.relation.kind())},
              {"idealised", schema.idealised},
              {"csv", csv}};
  if (schema.table) out["table"] = utf8(*schema.table);
  if (const auto& limits = schema.contributions) {
    out["contributions"] = {{"person", utf8(limits->person)}, {"rows", limits->rows}};
    if (limits->groups) out["contributions"]["groups"] = *limits->groups;
  }
  for (const Column& column : schema.columns) out["columns"][utf8(column.name)] = written(column);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = tacet::fuzz::as_text(data, size);
  const auto schema = tacet::schemas::parse_schema(text, text.starts_with('{'), "");
  if (!schema) {
    must(!schema.error().message().empty(), "a refusal says why");
    return 0;
  }
  std::for_each(schema->columns.begin(), schema->columns.end(), check);
  const Json first = written(*schema);
  const auto again = tacet::schemas::parse_schema(first.dump(), true, "");
  must(again.ok(), "a schema that is written down is read again");
  must(written(*again) == first, "a schema is read again as it was");

  const std::string canonical = tacet::data::canonical(*schema);
  const auto kept = tacet::schemas::kept_schema(canonical);
  must(kept.ok(), "a canonical schema is read");
  must(tacet::data::is_sound(*kept), "rows can be read by a schema that is read");
  must(tacet::data::canonical(*kept) == canonical, "one schema, one canonical text");
  must(!tacet::schemas::first_difference(*schema, *kept), "a schema agrees with itself in the terms");
  return 0;
}
