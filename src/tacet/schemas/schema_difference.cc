#include "tacet/schemas/schema_difference.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string kind_of(const Column& column) {
  const std::string cells = !column.bins.empty() ? "bins" : column.categories ? "categories" : "";
  if (!column.bounds) return cells.empty() ? "neither categories nor bounds" : cells;
  return cells.empty() ? "bounds" : cells + " and bounds";
}

/// The texts of a list, one by one if there are many. `one` and `many` name them: category.
Difference in_list(const std::string& name, const std::vector<std::string>& mine, const std::vector<std::string>& theirs, const char* one,
                   const char* many) {
  constexpr std::size_t kFew = 20;
  if (mine == theirs) return std::nullopt;
  if (std::max(mine.size(), theirs.size()) <= kFew)
    return differ(false, fmt::format("{} of {} are {}", many, name, fmt::join(mine, ", ")), fmt::format("{}", fmt::join(theirs, ", ")));
  if (mine.size() != theirs.size())
    return differ(false, fmt::format("{} has {} {}", name, mine.size(), many), fmt::format("{}", theirs.size()));
  const auto at = static_cast<std::size_t>(std::mismatch(mine.begin(), mine.end(), theirs.begin()).first - mine.begin());
  return differ(false, fmt::format("{} {} of {} is {}", one, at + 1, name, mine[at]), theirs[at]);
}

Difference in_cell(const std::string& name, const char* values, const std::string& asked, const std::string& terms) {
  return differ(asked == terms, fmt::format("{} values of {} count as {}", values, name, in_quotes(asked)), in_quotes(terms));
}

Difference in_cells(const std::string& name, const Column& asked, const Column& terms) {
  const auto labels = [](const Column& column) {
    std::vector<std::string> quoted;
    for (const std::string& label : column.categories->declared_labels()) quoted.push_back(in_quotes(label));
    return quoted;
  };
  const auto edges = [](const Column& column) {
    std::vector<std::string> shown;
    for (const Decimal& edge : column.bins) shown.push_back(data::number_text(edge, column.text.date));
    return shown;
  };
  const Categories &mine = *asked.categories, &theirs = *terms.categories;
  if (!asked.bins.empty()) {
    if (auto found = in_list(name, edges(asked), edges(terms), "edge", "bins")) return found;
  } else {
    if (auto found = in_list(name, labels(asked), labels(terms), "category", "categories")) return found;
    if (auto found = in_cell(name, "other", mine.labels[mine.other], theirs.labels[theirs.other])) return found;
  }
  return in_cell(name, "missing", mine.labels[mine.missing], theirs.labels[theirs.missing]);
}

Difference in_bounds(const std::string& name, const Column& asked, const Column& terms) {
  const bool date = asked.text.date;
  const Bounds &mine = *asked.bounds, &theirs = *terms.bounds;
  const auto range = [&](const Bounds& b) {
    return fmt::format("{} to {}", data::number_text(b.lower, date), data::number_text(b.upper, date));
  };
  const bool same = mine.lower == theirs.lower && mine.upper == theirs.upper;
  if (auto found = differ(same, fmt::format("bounds of {} are {}", name, range(mine)), range(theirs))) return found;
  if (auto found = differ(mine.resolution == theirs.resolution, fmt::format("resolution of {} is {}", name, mine.resolution.to_string()),
                          theirs.resolution.to_string()))
    return found;
  const auto missing = [&](const Bounds& b) { return b.missing ? data::number_text(*b.missing, date) : "left out"; };
  const char* const what = asked.categories ? "numbers" : "values";  // a missing value has a cell, too
  return differ(mine.missing == theirs.missing,
                fmt::format("missing {} of {} {} {}", what, name, mine.missing ? "count as" : "are", missing(mine)), missing(theirs));
}

/// How numbers are written.
Difference in_number_text(const std::string& name, const data::NumberText& asked, const data::NumberText& terms) {
  if (auto found = differ(asked.date == terms.date, fmt::format("date of {} is {}", name, shown(asked.date)), shown(terms.date)))
    return found;
  const auto text = [&](const char* field, const std::string& mine, const std::string& theirs) {
    const auto quoted = [](const std::string& value) { return value.empty() ? "none" : in_quotes(value); };
    return differ(mine == theirs, fmt::format("{} of {} is {}", field, name, quoted(mine)), quoted(theirs));
  };
  const auto character = [](const std::optional<char>& c) { return c ? std::string(1, *c) : std::string(); };
  if (auto found = text("thousands", character(asked.thousands), character(terms.thousands))) return found;
  if (auto found = text("decimal", character(asked.decimal), character(terms.decimal))) return found;
  return text("unit", asked.unit, terms.unit);
}

Difference in_column(const Column& asked, const Column& terms) {
  const std::string name = toml_key(asked.name);
  const bool same_kind = kind_of(asked) == kind_of(terms);
  if (auto found = differ(same_kind, fmt::format("column {} has {}", name, kind_of(asked)), kind_of(terms))) return found;
  if (auto found = in_number_text(name, asked.text, terms.text)) return found;
  if (asked.categories) {
    if (auto found = in_cells(name, asked, terms)) return found;
  }
  if (asked.bounds) {
    if (auto found = in_bounds(name, asked, terms)) return found;
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
  const std::string mine = contribution_words(request.contributions), theirs = contribution_words(terms.contributions);
  if (auto found = differ(mine == theirs, "one person has " + mine, theirs)) return found;
  if (auto found = in_columns(request, terms)) return found;
  // The comparison of the whole texts catches every other difference.
  if (text_by_name(request) != text_by_name(terms)) return "the schema is not that of the terms";
  return std::nullopt;
}

}  // namespace tacet::schemas
