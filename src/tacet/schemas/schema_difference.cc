#include "tacet/schemas/schema_difference.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

using data::Bounds;
using data::Categories;
using data::Column;
using data::CsvDialect;
using data::Schema;

// The canonical text with columns sorted by name, if their order has no meaning.
std::string text_by_name(Schema schema) {
  if (schema.csv.header)
    std::sort(schema.columns.begin(), schema.columns.end(), [](const Column& a, const Column& b) { return a.name < b.name; });
  return data::canonical(schema);
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(const std::optional<char>& value, const char* none) { return value ? in_quotes(std::string(1, *value)) : none; }
std::string shown(const std::vector<std::string>& texts) { return texts.empty() ? "none" : listed(texts); }

std::string names_of(const Schema& schema) {
  std::string names;
  for (const Column& column : schema.columns) names += (names.empty() ? "" : ", ") + toml_key(column.name);
  return names;
}

// Empty if the two are equal; otherwise a sentence with the request first and then the terms.
using Difference = std::optional<std::string>;
Difference differ(bool equal, const std::string& asked, const std::string& terms) {
  if (equal) return std::nullopt;
  return fmt::format("{}, but the terms say {}", asked, terms);
}

Difference in_csv(const CsvDialect& asked, const CsvDialect& terms) {
  const char* const by_name = "that of the file's name";
  const auto flag = [](const char* name, bool mine, bool theirs) {
    return differ(mine == theirs, fmt::format("csv.{} is {}", name, shown(mine)), shown(theirs));
  };
  const auto character = [](const char* name, const std::optional<char>& mine, const std::optional<char>& theirs, const char* none) {
    return differ(mine == theirs, fmt::format("csv.{} is {}", name, shown(mine, none)), shown(theirs, none));
  };
  if (auto found = character("delimiter", asked.delimiter, terms.delimiter, by_name)) return found;
  if (auto found = character("quote", asked.quote, terms.quote, "none")) return found;
  if (auto found = character("escape", asked.used_escape(), terms.used_escape(), "none")) return found;
  if (auto found = flag("header", asked.header, terms.header)) return found;
  return flag("line_breaks_in_quotes", asked.line_breaks_in_quotes, terms.line_breaks_in_quotes);
}

const char* kind_of(const Column& column) {
  if (column.categories) return "categories";
  return column.bounds ? "bounds" : "neither categories nor bounds";
}

Difference in_categories(const std::string& name, const Categories& asked, const Categories& terms) {
  constexpr std::size_t kFew = 20;
  const std::vector<std::string> mine = asked.declared_labels();
  const std::vector<std::string> theirs = terms.declared_labels();
  if (mine != theirs && std::max(mine.size(), theirs.size()) <= kFew)
    return differ(false, fmt::format("categories of {} are {}", name, shown(mine)), shown(theirs));
  if (mine != theirs && mine.size() != theirs.size())
    return differ(false, fmt::format("{} has {} categories", name, mine.size()), fmt::format("{}", theirs.size()));
  if (mine != theirs) {
    const auto at = static_cast<std::size_t>(std::mismatch(mine.begin(), mine.end(), theirs.begin()).first - mine.begin());
    return differ(false, fmt::format("category {} of {} is {}", at + 1, name, in_quotes(mine[at])), in_quotes(theirs[at]));
  }
  const auto cell = [&](const char* values, const std::string& label, const std::string& other) {
    return differ(label == other, fmt::format("{} values of {} count as {}", values, name, in_quotes(label)), in_quotes(other));
  };
  if (auto found = cell("other", asked.labels[asked.other], terms.labels[terms.other])) return found;
  return cell("missing", asked.labels[asked.missing], terms.labels[terms.missing]);
}

Difference in_bounds(const std::string& name, const Bounds& asked, const Bounds& terms) {
  const auto range = [](const Bounds& bounds) { return fmt::format("{} to {}", bounds.lower.to_string(), bounds.upper.to_string()); };
  const bool same = asked.lower == terms.lower && asked.upper == terms.upper;
  if (auto found = differ(same, fmt::format("bounds of {} are {}", name, range(asked)), range(terms))) return found;
  const auto number = [&](const std::string& words, const Decimal& mine, const Decimal& theirs) {
    return differ(mine == theirs, fmt::format("{} {}", words, mine.to_string()), theirs.to_string());
  };
  if (auto found = number(fmt::format("resolution of {} is", name), asked.resolution, terms.resolution)) return found;
  const auto missing = [](const Bounds& bounds) { return bounds.missing ? "count as " + bounds.missing->to_string() : "are left out"; };
  return differ(asked.missing == terms.missing, fmt::format("missing values of {} {}", name, missing(asked)), missing(terms));
}

Difference in_column(const Column& asked, const Column& terms) {
  const std::string name = toml_key(asked.name);
  const bool same_kind =
      asked.categories.has_value() == terms.categories.has_value() && asked.bounds.has_value() == terms.bounds.has_value();
  if (auto found = differ(same_kind, fmt::format("column {} has {}", name, kind_of(asked)), kind_of(terms))) return found;
  if (asked.categories) {
    if (auto found = in_categories(name, *asked.categories, *terms.categories)) return found;
  }
  if (asked.bounds) {
    if (auto found = in_bounds(name, *asked.bounds, *terms.bounds)) return found;
  }
  const std::vector<std::string> mine = sorted(asked.missing_values);
  const std::vector<std::string> theirs = sorted(terms.missing_values);
  if (auto found = differ(mine == theirs, fmt::format("missing_values of {} are {}", name, shown(mine)), shown(theirs))) return found;
  return differ(asked.public_membership == terms.public_membership, fmt::format("membership of {} is {}", name, asked.membership()),
                terms.membership());
}

Difference in_columns(const Schema& request, const Schema& terms) {
  for (const Column& column : request.columns) {
    if (terms.find(column.name) == nullptr)
      return fmt::format("column {} is not in the terms, which have {}", toml_key(column.name), names_of(terms));
  }
  for (const Column& column : terms.columns) {
    if (request.find(column.name) == nullptr)
      return fmt::format("column {} of the terms is not in the schema, which has {}", toml_key(column.name), names_of(request));
  }
  if (!terms.csv.header && request.names() != terms.names())
    return differ(false, fmt::format("columns are in the order {}", names_of(request)), names_of(terms));
  for (const Column& column : request.columns) {
    if (auto found = in_column(column, *terms.find(column.name))) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> first_difference(const Schema& request, const Schema& terms) {
  const auto quoted = [](std::string_view name) { return in_quotes(name); };
  const auto table = [](const Schema& schema) { return schema.table ? in_quotes(*schema.table) : std::string("none"); };
  if (auto found = differ(request.relation.kind() == terms.relation.kind(), "neighbours is " + quoted(name(request.relation.kind())),
                          quoted(name(terms.relation.kind()))))
    return found;
  if (auto found = differ(request.idealised == terms.idealised, "idealised is " + shown(request.idealised), shown(terms.idealised)))
    return found;
  if (auto found = differ(request.table == terms.table, "table is " + table(request), table(terms))) return found;
  if (auto found = in_csv(request.csv, terms.csv)) return found;
  if (auto found = in_columns(request, terms)) return found;
  // The comparison of the whole texts catches every other difference.
  if (text_by_name(request) != text_by_name(terms)) return "the schema is not that of the terms";
  return std::nullopt;
}

}  // namespace tacet::schemas
