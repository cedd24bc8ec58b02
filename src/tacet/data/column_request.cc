#include "tacet/data/column_request.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/data/text.h"

namespace tacet::data {
namespace {

constexpr std::size_t kMostNumbers = 64;
const char* const kBoundsLines = "lower = ..., upper = ... and resolution = ...";
const char* const kCategoriesLine = "categories = [\"...\", \"...\"]";

Result<const Column*> declared_once(const Schema& schema, const std::vector<std::string>& names, const std::string& name,
                                    const char* parameter, const char* lines) {
  if (std::count(names.begin(), names.end(), name) > 1)
    return Error::invalid(parameter, in_quotes(name) + " twice", "must name each column once");
  if (const Column* column = schema.find(name)) return column;
  const std::string hint = did_you_mean(name, schema.names());
  return Error::of(Code::NotFound,
                   fmt::format("column {} is not in the schema, which declares {}", in_quotes(name), listed(schema.names())),
                   hint.empty() ? fmt::format("declare it: [columns.{}], and below it {}", toml_key(name), lines) : hint);
}

}  // namespace

Result<std::vector<const Column*>> categorical_columns(const Schema& schema, const std::vector<std::string>& names) {
  if (names.empty()) return Error::invalid("by", "", "must name at least one column", "the schema declares " + listed(schema.names()));
  std::vector<const Column*> columns;
  for (const std::string& name : names) {
    TACET_TRY(columns.emplace_back(), declared_once(schema, names, name, "by", kCategoriesLine));
    if (columns.back()->categories) continue;
    return Error::schema(
        fmt::format("columns.{}.categories", toml_key(name)), "not written",
        "a column is tabulated, or divides rows into groups, by categories that are public, never by those found in the data",
        fmt::format("write under [columns.{}]: {}", toml_key(name), kCategoriesLine));
  }
  return columns;
}

Result<std::vector<const Column*>> numeric_columns(const Schema& schema, const std::vector<std::string>& names) {
  if (names.empty() || names.size() > kMostNumbers) {
    return Error::invalid("columns", fmt::format("{} names", names.size()), fmt::format("must name 1 to {} columns", kMostNumbers),
                          "the schema declares " + listed(schema.names()));
  }
  std::vector<const Column*> columns;
  for (const std::string& name : names) {
    TACET_TRY(columns.emplace_back(), declared_once(schema, names, name, "columns", kBoundsLines));
    if (columns.back()->bounds) continue;
    return Error::schema(fmt::format("columns.{}.lower", toml_key(name)), "not written",
                         "a column is summed between bounds that are public, never between those found in the data",
                         columns.back()->categories ? "a column with categories can be counted, or divide the rows into groups"
                                                    : fmt::format("write under [columns.{}]: {}", toml_key(name), kBoundsLines));
  }
  return columns;
}

}  // namespace tacet::data
