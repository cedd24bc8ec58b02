#include "tacet/schemas/column_request.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/grid.h"
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

/// In range for a release file: even sums of products of such numbers are within its 1e100.
bool is_releasable(const Decimal& size) { return size <= *Decimal::parse(kLargestReleased); }

/// Why these bounds are refused.
Error unusable_bounds(const std::string& column, const data::Bounds& bounds) {
  const auto refuse = [&](const char* field, const Decimal& value, const std::string& rule, const char* remedy) {
    return Error::schema(fmt::format("the {} of column {}", field, in_quotes(column)), value.to_string(), rule, remedy);
  };
  const Decimal range = bounds.upper - bounds.lower;
  const Decimal largest = data::largest_size(bounds);
  if (!is_releasable(largest)) {
    const bool upper = bounds.upper == largest || bounds.upper == Decimal() - largest;
    return refuse(upper ? "upper bound" : "lower bound", upper ? bounds.upper : bounds.lower,
                  fmt::format("must lie between -{0} and {0}: release files hold no larger sums", kLargestReleased),
                  "measure in a larger unit");
  }
  const auto refuse_resolution = [&](const std::string& rule, const char* remedy) {
    return refuse("resolution", bounds.resolution, rule, remedy);
  };
  if (bounds.resolution < *Decimal::parse(kLeastReleased)) {
    return refuse_resolution(fmt::format("must be at least {}: release files hold no finer noise", kLeastReleased),
                             "measure in a smaller unit");
  }
  if (bounds.resolution > range) return refuse_resolution("must leave at least one step between the bounds", "declare a smaller one");
  if (range > bounds.resolution * Decimal(data::kMostSteps)) {
    return refuse_resolution(fmt::format("must leave at most {} steps between the bounds", data::kMostSteps),
                             "declare a larger resolution or narrower bounds; the noise of a release is far larger than such a step");
  }
  return refuse_resolution(
      fmt::format("must be at least 2^-{} of the larger bound, or numbers of 53 bits cannot tell its steps apart", data::kFinestLog2),
      "declare a larger resolution, or store the column as a difference from a public number");
}

/// Release files hold edges as doubles, which must increase as well.
Status check_edges(const std::string& column, const std::vector<Decimal>& edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const bool apart = i == 0 || edges[i - 1].approximate() < edges[i].approximate();
    if (apart && is_releasable(edges[i]) && is_releasable(Decimal() - edges[i])) continue;
    return Error::invalid("bins",
                          fmt::format("{}{} of {}", i == 0 ? "" : edges[i - 1].to_string() + ", ", edges[i].to_string(), in_quotes(column)),
                          fmt::format("must have edges between -{0} and {0} that differ in their first 16 digits", kLargestReleased),
                          "choose edges that are further apart, or measure in another unit");
  }
  return {};
}

}  // namespace

Status check_bounds(const std::string& column, const data::Bounds& bounds) {
  const bool releasable = is_releasable(data::largest_size(bounds)) && bounds.resolution >= *Decimal::parse(kLeastReleased);
  return releasable && data::Grid::of(column, bounds).ok() ? Status() : Status(unusable_bounds(column, bounds));
}

Status check_tabulated(const data::Schema& schema, const std::vector<std::string>& names, const std::vector<data::Bins>& bins) {
  if (names.empty()) return Error::invalid("by", "", "must name at least one column", "the schema declares " + listed(schema.names()));
  std::string product;
  for (const std::string& name : names) {
    TACET_TRY(const data::Column* column, declared_once(schema, names, name, "by", kCategoriesLine));
    const auto chosen = std::find_if(bins.begin(), bins.end(), [&](const data::Bins& one) { return one.column == name; });
    if (!column->categories && chosen == bins.end()) {
      return Error::schema(
          fmt::format("columns.{}.categories", toml_key(name)), "not written",
          "a column is tabulated, or divides rows into groups, by categories that are public, never by those found in the data",
          column->bounds ? fmt::format("write under [columns.{}]: {}; or choose them for a table: `release counts bins = COLUMN:a,b,c`",
                                       toml_key(name), kBinsLine)
                         : fmt::format("write under [columns.{}]: {}", toml_key(name), kCategoriesLine));
    }
    TACET_CHECK(check_edges(name, chosen != bins.end() ? chosen->edges : column->bins));
    const std::size_t cells = chosen != bins.end() ? chosen->edges.size() : column->categories->labels.size();
    product += fmt::format("{}{}", product.empty() ? "" : " x ", cells);
  }
  if (data::shape_of(schema, {.by = names, .bins = bins})) return {};
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
    if (column->bounds) {
      TACET_CHECK(check_bounds(name, *column->bounds));
      continue;
    }
    return Error::schema(fmt::format("columns.{}.lower", toml_key(name)), "not written",
                         "a column is summed between bounds that are public, never between those found in the data",
                         column->categories ? "a column with categories can be counted, or divide the rows into groups"
                                            : fmt::format("write under [columns.{}]: {}", toml_key(name), kBoundsLines));
  }
  return {};
}

Status check_binned(const data::Schema& schema, const std::string& name) {
  TACET_TRY(const data::Column* column, declared_once(schema, {name}, name, "column", kBoundsLines));
  if (column->bounds) return check_bounds(name, *column->bounds);
  return Error::schema(fmt::format("columns.{}.lower", toml_key(name)), "not written",
                       "a histogram has bins between bounds that are public, never between those found in the data",
                       column->categories ? "a column with categories or bins alone can be counted: `release counts`"
                                          : fmt::format("write under [columns.{}]: {}", toml_key(name), kBoundsLines));
}

Status check_usable(const data::Schema& schema) {
  bool any = false;
  for (const data::Column& column : schema.columns) {
    any = any || column.categories || column.bounds;
    if (column.categories) TACET_CHECK(check_tabulated(schema, {column.name}));
    if (column.bounds) TACET_CHECK(check_bounds(column.name, *column.bounds));
  }
  if (any) return {};
  return Error::schema("columns", "without categories and bounds, all of them", "no release can use a column that has neither",
                       fmt::format("write for example under [columns.{}]: {}",
                                   schema.columns.empty() ? "NAME" : toml_key(schema.columns.front().name), kCategoriesLine));
}

}  // namespace tacet::schemas
