#include "tacet/data/counts.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/scan_failed.h"
#include "tacet/data/source.h"
#include "tacet/data/text.h"
#include "tacet/kernel/vault.h"

namespace tacet::data {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kRowsBetweenClocks = 1 << 16;
// Each thread of the engine tallies into a table of its own; together they stay below this.
constexpr std::size_t kMostTallyBytes = std::size_t{1} << 30;

// A column to tabulate, and its categories.
struct Tabulated {
  const Column* column;
  const Categories* categories;
};

Result<std::vector<Tabulated>> declared_columns(const Schema& schema, const std::vector<std::string>& by) {
  if (by.empty()) return Error::invalid("by", "", "must name at least one column", "the schema declares " + listed(schema.names()));
  std::vector<Tabulated> columns;
  std::set<std::string> seen;
  for (const std::string& name : by) {
    const Column* column = schema.find(name);
    if (column == nullptr) {
      const std::string hint = did_you_mean(name, schema.names());
      return Error::of(
          Code::NotFound, fmt::format("column {} is not in the schema, which declares {}", in_quotes(name), listed(schema.names())),
          hint.empty() ? fmt::format("declare it: [columns.{}], and below it categories = [\"...\", \"...\"]", toml_key(name)) : hint);
    }
    if (!seen.insert(name).second) return Error::invalid("by", in_quotes(name) + " twice", "must name each column once");
    if (!column->categories) {
      return Error::schema(fmt::format("columns.{}.categories", toml_key(name)), "not written",
                           "a column is tabulated by categories that are public, never by those found in the data",
                           fmt::format("write under [columns.{}]: categories = [\"...\", \"...\"]", toml_key(name)));
    }
    columns.push_back({column, &*column->categories});
  }
  return columns;
}

Result<TableShape> shape_of(const std::vector<Tabulated>& columns) {
  std::vector<std::uint32_t> sizes;
  std::string product;
  for (const Tabulated& tabulated : columns) {
    const std::size_t size = tabulated.categories->labels.size();
    sizes.push_back(static_cast<std::uint32_t>(std::min(size, kMostCells + 1)));
    product += fmt::format("{}{}", product.empty() ? "" : " x ", size);
  }
  const std::optional<TableShape> shape = TableShape::of(sizes);
  if (!shape) {
    return Error::invalid("by", fmt::format("a table of {} cells", product), fmt::format("must make at most {} cells", kMostCells),
                          "tabulate fewer columns, or declare fewer categories");
  }
  return *shape;
}

Result<std::int64_t> tally_csv(const DataFile& file, const Schema& schema, const std::vector<Tabulated>& columns,
                               const std::vector<Coder>& coders, const TableShape& shape, Tally& into, const Progress& progress) {
  TACET_TRY(CsvSource source, CsvSource::open(file, schema.csv, schema.names()));
  std::vector<std::size_t> positions;
  for (const Tabulated& tabulated : columns) {
    TACET_TRY(const std::size_t at, position(source.names, tabulated.column->name, file));
    positions.push_back(at);
  }
  CsvReader& reader = source.reader;
  std::int64_t rows = 0;
  Clock::time_point due = Clock::now() + progress.after;
  for (;;) {
    const CsvReader::Step step = reader.next();
    if (step == CsvReader::Step::Failed) return scan_failed(in_quotes(file.path()));
    if (step == CsvReader::Step::End) return rows;
    std::size_t cell = 0;
    for (std::size_t axis = 0; axis < coders.size(); ++axis) {
      const std::size_t field = positions[axis];
      const std::uint32_t code = reader.missing(field) ? coders[axis].missing() : coders[axis].code(reader.text(field));
      cell += std::size_t{code} * shape.stride(axis);
    }
    into.add(cell);
    ++rows;
    if (progress.tell && rows % kRowsBetweenClocks == 0 && Clock::now() >= due) {
      due = Clock::now() + progress.every;
      progress.tell(reader.fraction());
    }
  }
}

Result<std::int64_t> tally_engine(const DataFile& file, const Schema& schema, const std::vector<Tabulated>& columns,
                                  const std::vector<Coder>& coders, const TableShape& shape, Tally& into, const CountOptions& options) {
  const std::size_t affordable = std::max<std::size_t>(1, kMostTallyBytes / (shape.cells() * sizeof(std::int64_t)));
  const unsigned wanted = options.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options.threads;
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(wanted, affordable));
  TACET_TRY(EngineSource source, EngineSource::open(file, schema.table, threads));
  std::vector<std::string> names;
  names.reserve(source.columns.size());
  for (const EngineColumn& column : source.columns) names.push_back(column.name);
  std::vector<sql::CodedColumn> coded;
  for (const auto& [column, categories] : columns) {
    TACET_TRY(const std::size_t at, position(names, column->name, file));
    const EngineColumn& found = source.columns[at];
    if (found.type == ColumnType::Nested) {
      return Error::of(Code::Unsupported,
                       fmt::format("column {} of {} has the type {}, whose values have no agreed text", in_quotes(column->name),
                                   in_quotes(file.path()), found.type_name),
                       "store the part to be tabulated as a column of its own");
    }
    coded.push_back({at, found.type_name == "VARCHAR"});
  }
  return source.engine.tally(source.sql, source.columns.size(), coded, coders, shape, into, options.progress);
}

}  // namespace

kernel::Sensitivity count_sensitivity(const kernel::Relation& relation) {
  const bool replace = relation.kind() == kernel::Relation::ReplaceOne;
  return {relation, replace ? 2 : 1, replace ? 2 : 1};
}

Result<CountTable> count(const DataFile& file, const Declared& declared, const std::vector<std::string>& by, const CountOptions& options) {
  const Schema& schema = declared.schema();
  TACET_TRY(const std::vector<Tabulated> columns, declared_columns(schema, by));
  TACET_TRY(const TableShape shape, shape_of(columns));
  std::vector<Coder> coders;
  std::vector<Axis> axes;
  for (const auto& [column, categories] : columns) {
    coders.emplace_back(*categories, column->missing_values);
    axes.push_back({column->name, declared.terms().trusted_labels(categories->labels)});
  }
  Tally tally(shape);
  TACET_TRY(const std::int64_t rows, file.kind() == FileKind::Csv ? tally_csv(file, schema, columns, coders, shape, tally, options.progress)
                                                                  : tally_engine(file, schema, columns, coders, shape, tally, options));
  TACET_TRY(std::vector<std::int64_t> counts, std::move(tally).checked(rows));

  return CountTable{std::move(axes),
                    kernel::Vault::trusted_seal(std::move(counts), count_sensitivity(declared.relation()), declared.terms().id()),
                    declared.terms().people(rows)};
}

}  // namespace tacet::data
