#include "tacet/schemas/column_request.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/grid.h"
#include "tacet/data/scan_request.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

const char* const kBoundsLines = "lower = ..., upper = ... and resolution = ...";
const char* const kBinsLine = "bins = [..., ..., ...]";
const char* const kCategoriesLine = "categories = [\"...\", \"...\"]";

Result<const data::Column*> declared_once(const data::Schema& schema, const std::vector<std::string>& names, const std::string& name,
                                          const char* parameter, const char* lines) {
  const data::Column* const column = schema.find(name);
  if (column == nullptr) {
    const std::string hint = did_you_mean(name, schema.names());
    return Error::of(Code::NotFound,
                     fmt::format("column {} is not in the schema, which declares {}", in_quotes(name), listed(schema.names())),
                     hint.empty() ? fmt::format("declare it: [columns.{}], and below it {}", toml_key(name), lines) : hint);
  }
  if (std::count(names.begin(), names.end(), name) == 1) return column;
  return Error::invalid(parameter, in_quotes(name) + " twice", "must name each column once");
}

}  // namespace

Status check_tabulated(const data::Schema& schema, const std::vector<std::string>& names) {
  if (names.empty()) return Error::invalid("by", "", "must name at least one column", "the schema declares " + listed(schema.names()));
  std::string product;
  for (const std::string& name : names) {
    TACET_TRY(const data::Column* column, declared_once(schema, names, name, "by", kCategoriesLine));
    if (!column->categories) {
      return Error::schema(
          fmt::format("columns.{}.categories", toml_key(name)), "not written",
          "a column is tabulated, or divides rows into groups, by categories that are public, never by those found in the data",
          fmt::format("write under [columns.{}]: {}", toml_key(name), column->bounds ? kBinsLine : kCategoriesLine));
    }
    product += fmt::format("{}{}", product.empty() ? "" : " x ", column->categories->labels.size());
  }
  if (data::shape_of(schema, {.by = names})) return {};
  return Error::invalid("by", fmt::format("a table of {} cells", product), fmt::format("must make at most {} cells", data::kMostCells),
                        "tabulate fewer columns, or declare fewer categories");
}

Status check_summed(const data::Schema& schema, const std::vector<std::string>& names) {
  if (names.empty() || names.size() > kernel::kMostColumns) {
    return Error::invalid("columns", fmt::format("{} names", names.size()), fmt::format("must name 1 to {} columns", kernel::kMostColumns),
                          "the schema declares " + listed(schema.names()));
  }
  for (const std::string& name : names) {
    TACET_TRY(const data::Column* column, declared_once(schema, names, name, "columns", kBoundsLines));
    if (column->bounds) continue;
    return Error::schema(fmt::format("columns.{}.lower", toml_key(name)), "not written",
                         "a column is summed between bounds that are public, never between those found in the data",
                         column->categories ? "a column with categories can be counted, or divide the rows into groups"
                                            : fmt::format("write under [columns.{}]: {}", toml_key(name), kBoundsLines));
  }
  return {};
}

Status check_usable(const data::Schema& schema) {
  bool any = false;
  for (const data::Column& column : schema.columns) {
    any = any || column.categories || column.bounds;
    if (column.categories) TACET_CHECK(check_tabulated(schema, {column.name}));
    if (column.bounds) TACET_CHECK(data::Grid::of(column.name, *column.bounds));
  }
  if (any) return {};
  return Error::schema("columns", "without categories and bounds, all of them", "no release can use a column that has neither",
                       fmt::format("write for example under [columns.{}]: {}",
                                   schema.columns.empty() ? "NAME" : toml_key(schema.columns.front().name), kCategoriesLine));
}

}  // namespace tacet::schemas
