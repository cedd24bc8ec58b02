#include "tacet/data/moments.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/row_fold.h"
#include "tacet/data/scan_failed.h"
#include "tacet/data/source.h"
#include "tacet/data/text.h"
#include "tacet/kernel/vault.h"

namespace tacet::data {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostColumns = 64;
constexpr std::size_t kMostNumbers = 1'000'000;

Result<const Column*> declared(const Schema& schema, const std::string& name, const std::string& lines) {
  const Column* column = schema.find(name);
  if (column != nullptr) return column;
  const std::string hint = did_you_mean(name, schema.names());
  return Error::of(Code::NotFound,
                   fmt::format("column {} is not in the schema, which declares {}", in_quotes(name), listed(schema.names())),
                   hint.empty() ? fmt::format("declare it: [columns.{}], and below it {}", toml_key(name), lines) : hint);
}

const char* const kBoundsLines = "lower = ..., upper = ... and resolution = ...";
const char* const kCategoriesLine = "categories = [\"...\", \"...\"]";

Result<std::vector<const Column*>> numeric_columns(const Schema& schema, const std::vector<std::string>& names) {
  if (names.empty() || names.size() > kMostColumns) {
    return Error::invalid("columns", fmt::format("{} names", names.size()), fmt::format("must name 1 to {} columns", kMostColumns),
                          "the schema declares " + listed(schema.names()));
  }
  std::vector<const Column*> columns;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    TACET_TRY(const Column* column, declared(schema, name, kBoundsLines));
    if (!seen.insert(name).second) return Error::invalid("columns", in_quotes(name) + " twice", "must name each column once");
    if (!column->bounds) {
      return Error::schema(fmt::format("columns.{}.lower", toml_key(name)), "not written",
                           "a column is summed between bounds that are public, never between those found in the data",
                           column->categories ? "a column with categories can be counted, or divide the rows into groups"
                                              : fmt::format("write under [columns.{}]: {}", toml_key(name), kBoundsLines));
    }
    columns.push_back(column);
  }
  return columns;
}

// The column by which rows are grouped; nothing if they are not.
Result<const Column*> group_column(const Schema& schema, const std::optional<Groups>& groups) {
  if (!groups) return static_cast<const Column*>(nullptr);
  TACET_TRY(const Column* column, declared(schema, groups->column, kCategoriesLine));
  if (column->categories) return column;
  return Error::schema(fmt::format("columns.{}.categories", toml_key(groups->column)), "not written",
                       "rows are grouped by categories that are public, never by those found in the data",
                       fmt::format("write under [columns.{}]: {}", toml_key(groups->column), kCategoriesLine));
}

Result<std::size_t> group_count(const Column* by, std::size_t numbers) {
  const std::size_t groups = by == nullptr ? 1 : by->categories->labels.size();
  if (groups <= kMostNumbers / numbers) return groups;
  return Error::invalid("groups", fmt::format("{} groups of {} numbers", groups, numbers),
                        fmt::format("must make at most {} numbers", kMostNumbers), "ask for fewer columns, or declare fewer categories");
}

// A text for "missing" that writes a number means that number, however the file stores it; any other text is no number, and missing anyway.
std::vector<double> missing_numbers(const Column& column) {
  std::vector<double> numbers;
  for (const std::string& text : column.missing_values) {
    const double number = read_number(text);
    if (!std::isnan(number)) numbers.push_back(number);
  }
  return numbers;
}

// ---- Two kinds of files, opened before any row is read: then it is known in which precision a column is stored. ----

// Where the columns stand in the file.
struct OpenColumns {
  std::vector<std::size_t> numbers;
  std::size_t group = 0;
};

Result<OpenColumns> positions(const std::vector<std::string>& names, const std::vector<const Column*>& columns, const Column* by,
                              const DataFile& file) {
  OpenColumns open;
  for (const Column* column : columns) {
    TACET_TRY(const std::size_t at, position(names, column->name, file));
    open.numbers.push_back(at);
  }
  if (by != nullptr) {
    TACET_TRY(open.group, position(names, by->name, file));
  }
  return open;
}

Error no_numbers(const DataFile& file, const EngineColumn& column) {
  return Error::of(Code::Unsupported,
                   fmt::format("column {} of {} has the type {}, whose values are no numbers", in_quotes(column.name),
                               in_quotes(file.path()), column.type_name),
                   "store what is to be summed as a column of numbers");
}

Error no_text(const DataFile& file, const EngineColumn& column) {
  return Error::of(Code::Unsupported,
                   fmt::format("column {} of {} has the type {}, whose values have no agreed text", in_quotes(column.name),
                               in_quotes(file.path()), column.type_name),
                   "store what tells the groups apart as a column of its own");
}

// A file that is open, with its columns found: what is left is to read its rows.
class OpenFile {
 public:
  static Result<OpenFile> open(const DataFile& file, const Schema& schema, const std::vector<const Column*>& columns, const Column* by,
                               const CountOptions& options) {
    OpenFile out(file, by);
    if (file.kind() == FileKind::Csv) {
      TACET_TRY(CsvSource source, CsvSource::open(file, schema.csv, schema.names()));
      TACET_TRY(out.columns_, positions(source.names, columns, by, file));
      out.precisions_.assign(columns.size(), Precision::Double);
      out.csv_.emplace(std::move(source));
      return out;
    }
    out.table_ = schema.table;
    out.threads_ = options.threads;
    const std::optional<unsigned> memory =
        file.kind() == FileKind::DuckDb ? std::optional(little_memory(options.threads, columns.size() + 1)) : std::nullopt;
    TACET_TRY(EngineSource source, out.engine_source(memory));
    std::vector<std::string> names;
    for (const EngineColumn& column : source.columns) names.push_back(column.name);
    TACET_TRY(out.columns_, positions(names, columns, by, file));
    for (const std::size_t at : out.columns_.numbers) {
      const EngineColumn& column = source.columns[at];
      if (!column.number) return no_numbers(file, column);
      out.precisions_.push_back(column.number->type == NumberType::Single ? Precision::Single : Precision::Double);
    }
    if (by != nullptr && source.columns[out.columns_.group].type == ColumnType::Nested)
      return no_text(file, source.columns[out.columns_.group]);
    out.engine_.emplace(std::move(source));
    return out;
  }

  Precision precision(std::size_t column) const { return precisions_[column]; }

  /// The sums of all rows, which are checked against the number of rows.
  Result<MomentSums> read(const RowPlan& plan, const Progress& progress) {
    double told = 0;  // a second reading does not go back to the beginning
    Progress forward = progress;
    if (progress.tell) forward.tell = [&](double fraction) { progress.tell(told = std::max(told, fraction)); };
    Result<MomentSums> sums = read_once(plan, forward);
    if (sums.ok() || file_.kind() != FileKind::DuckDb) return sums;
    TACET_TRY(EngineSource source, EngineSource::open(file_, table_, threads_));
    engine_.emplace(std::move(source));
    return read_once(plan, forward);
  }

 private:
  OpenFile(const DataFile& file, const Column* by) : file_(file) {
    if (by != nullptr) coder_.emplace(*by->categories, by->missing_values);
  }

  // Enough for the blocks that are being read. Rows that wait in a log may need more: then the usual amount is tried.
  static unsigned little_memory(unsigned threads, std::size_t columns) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    return 32 + threads * static_cast<unsigned>(columns);
  }

  Result<EngineSource> engine_source(std::optional<unsigned> memory) const {
    Result<EngineSource> source = EngineSource::open(file_, table_, threads_, memory);
    if (source.ok() || !memory) return source;
    return EngineSource::open(file_, table_, threads_);
  }

  Result<MomentSums> read_once(const RowPlan& plan, const Progress& progress) {
    MomentSums sums(plan.shape, plan.instructions);
    TACET_TRY(const std::int64_t rows, csv_ ? read_csv(plan, sums, progress) : read_engine(plan, sums, progress));
    std::int64_t counted = 0;
    for (std::size_t group = 0; group < plan.shape.groups; ++group) counted += sums.rows(group);
    if (counted != rows) return Error::of(Code::Internal, "the groups do not add up to the number of rows", "please report this");
    return sums;
  }

  Result<std::int64_t> read_engine(const RowPlan& plan, MomentSums& sums, const Progress& progress) {
    std::optional<Grouping> grouping;
    if (coder_) grouping.emplace(Grouping{{columns_.group, engine_->columns[columns_.group].type_name == "VARCHAR"}, *coder_});
    return engine_->engine.fold(engine_->sql, engine_->columns.size(), columns_.numbers, grouping, plan, sums, progress);
  }

  Result<std::int64_t> read_csv(const RowPlan& plan, MomentSums& sums, const Progress& progress) {
    CsvReader& reader = csv_->reader;
    RowFold fold(plan);
    const std::size_t width = columns_.numbers.size();
    std::vector<double> numbers(width * kStretch);
    std::vector<std::uint32_t> codes(coder_ ? kStretch : 0);
    std::vector<NumberColumn> stretch;
    for (std::size_t j = 0; j < width; ++j) stretch.push_back({{NumberType::Double, 0}, numbers.data() + j * kStretch, nullptr});
    std::int64_t rows = 0;
    std::size_t held = 0;
    const auto flush = [&] { fold.add(stretch, coder_ ? codes.data() : nullptr, std::exchange(held, 0)); };
    Clock::time_point due = Clock::now() + progress.after;
    for (;;) {
      const CsvReader::Step step = reader.next();
      if (step == CsvReader::Step::Failed) return scan_failed(in_quotes(file_.path()));
      if (step == CsvReader::Step::End) break;
      for (std::size_t j = 0; j < width; ++j) numbers[j * kStretch + held] = read_number(reader.text(columns_.numbers[j]));
      if (coder_) codes[held] = reader.missing(columns_.group) ? coder_->missing() : coder_->code(reader.text(columns_.group));
      ++rows;
      if (++held < kStretch) continue;
      flush();
      if (progress.tell && Clock::now() >= due) {
        due = Clock::now() + progress.every;
        progress.tell(reader.fraction());
      }
    }
    flush();
    sums.merge(fold.sums());
    return rows;
  }

  DataFile file_;
  std::optional<std::string> table_;
  unsigned threads_ = 0;
  OpenColumns columns_;
  std::vector<Precision> precisions_;
  std::optional<Coder> coder_;
  std::optional<CsvSource> csv_;
  std::optional<EngineSource> engine_;
};

PublicRows public_rows(const kernel::Terms& terms, const Column* by, const std::optional<Groups>& groups, const MomentSums& sums) {
  PublicRows rows;
  if (by != nullptr) rows.groups = Axis{by->name, terms.trusted_labels(by->categories->labels)};
  std::vector<std::int64_t> sizes;
  std::int64_t n = 0;
  for (std::size_t group = 0; group < sums.shape().groups; ++group) {
    sizes.push_back(sums.rows(group));
    n += sizes.back();
  }
  rows.n = terms.people(n);
  if (groups && groups->membership == Membership::Public) rows.group_sizes = terms.group_sizes(groups->column, std::move(sizes));
  return rows;
}

/// Groups may be treated as public only where the relation fixes who is in them.
Status check_membership(const kernel::Relation& relation, const std::optional<Groups>& groups) {
  if (!groups || groups->membership == Membership::Private || relation.is_public(groups->column)) return {};
  return Error::invalid(
      "membership", "public",
      fmt::format("must be private: the terms do not say that it is public who has which value of {}", in_quotes(groups->column)),
      "leave it out; only the custodian declares it, when the budget is created");
}

struct Range {
  Int128 least, most;
};

Range range_of(const Grid& grid) { return {grid.lowest(), grid.highest()}; }

Range product_range(const Grid& a, const Grid& b, bool square) {
  const Int128 corners[] = {Int128{a.lowest()} * b.lowest(), Int128{a.lowest()} * b.highest(), Int128{a.highest()} * b.lowest(),
                            Int128{a.highest()} * b.highest()};
  Range range{*std::min_element(std::begin(corners), std::end(corners)), *std::max_element(std::begin(corners), std::end(corners))};
  if (!square) return range;
  const Int128 low = corners[0];
  const Int128 high = corners[3];
  const bool around_zero = a.lowest() <= 0 && a.highest() >= 0;
  return {around_zero ? Int128{0} : std::min(low, high), std::max(low, high)};
}

// The most by which a sum over one group can change when each row adds something in this range.
Int128 largest_change(const Range& range, bool may_replace, bool may_come_or_go) {
  Int128 most = 0;
  if (may_replace) most = range.most - range.least;
  if (may_come_or_go) most = std::max({most, range.most, -range.least});
  return most;
}

}  // namespace

kernel::BoxSensitivity moment_sensitivity(const kernel::Relation& relation, const std::vector<MomentColumn>& columns,
                                          const MomentLayout& layout, Membership membership) {
  const bool replace = relation.kind() == kernel::Relation::ReplaceOne;
  const bool moves = replace && layout.shape.groups > 1 && membership == Membership::Private;
  const auto change = [&](const Range& range) { return largest_change(range, replace, !replace || moves); };
  kernel::BoxSensitivity sensitivity{relation, {}, layout.shape.groups, moves ? std::size_t{2} : std::size_t{1}};
  // The centre lies between the bounds, so that 0 is in the range of every column, and the bound of a square is the largest square.
  sensitivity.outer_products = layout.shape.products ? columns.size() : 0;
  sensitivity.most.reserve(layout.size());
  for (std::size_t group = 0; group < layout.shape.groups; ++group) {
    if (layout.counts) sensitivity.most.push_back(change({1, 1}));
    for (const MomentColumn& column : columns) sensitivity.most.push_back(change(range_of(column.grid)));
    if (!layout.shape.products) continue;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      for (std::size_t k = j; k < columns.size(); ++k)
        sensitivity.most.push_back(change(product_range(columns[j].grid, columns[k].grid, j == k)));
    }
  }
  return sensitivity;
}

kernel::NormSensitivity clip_sensitivity(const kernel::Relation& relation, std::int32_t steps) {
  const Int128 one = Int128{steps} * steps;
  return {relation, relation.kind() == kernel::Relation::ReplaceOne ? 4 * one : one};
}

Result<MomentDesign> design_moments(const Schema& schema, const MomentRequest& request) {
  TACET_TRY(const std::vector<const Column*> columns, numeric_columns(schema, request.columns));
  TACET_TRY(const Column* by, group_column(schema, request.groups));
  TACET_CHECK(check_membership(schema.relation, request.groups));
  const bool sizes_are_public =
      schema.relation.people_are_public() && (!request.groups || request.groups->membership == Membership::Public);
  MomentDesign design{{}, {{columns.size(), request.products, 1}, request.counts && !sizes_are_public}, {schema.relation, {}}};
  TACET_TRY(design.layout.shape.groups, group_count(by, design.layout.stretch()));
  for (const Column* column : columns) {
    TACET_TRY(Grid grid, Grid::of(column->name, *column->bounds));
    design.columns.push_back({column->name, std::move(grid)});
  }
  design.sensitivity =
      moment_sensitivity(schema.relation, design.columns, design.layout, request.groups ? request.groups->membership : Membership::Private);
  return design;
}

Result<Moments> moments(const DataFile& file, const Declared& declared, const MomentRequest& request, const CountOptions& options) {
  const Schema& schema = declared.schema();
  TACET_TRY(const std::vector<const Column*> columns, numeric_columns(schema, request.columns));
  TACET_TRY(const Column* by, group_column(schema, request.groups));
  if (!request.centres.empty() && request.centres.size() != columns.size()) {
    return Error::invalid("centres", fmt::format("{} numbers", request.centres.size()),
                          fmt::format("must be one for each of the {} columns, or none", columns.size()));
  }
  const auto grid = [&](std::size_t j, Precision precision) {
    return Grid::of(columns[j]->name, *columns[j]->bounds,
                    request.centres.empty() ? std::optional<Decimal>() : std::optional(request.centres[j]), precision);
  };
  for (std::size_t j = 0; j < columns.size(); ++j) TACET_CHECK(grid(j, Precision::Double));
  TACET_CHECK(check_membership(declared.relation(), request.groups));
  const bool sizes_are_public =
      declared.relation().people_are_public() && (!request.groups || request.groups->membership == Membership::Public);
  MomentLayout layout{{columns.size(), request.products, 1}, request.counts && !sizes_are_public};
  TACET_TRY(layout.shape.groups, group_count(by, layout.stretch()));

  TACET_TRY(OpenFile open, OpenFile::open(file, schema, columns, by, options));
  std::vector<MomentColumn> described;
  std::vector<Grid> grids;
  RowPlan plan{{}, {}, layout.shape};
  for (std::size_t j = 0; j < columns.size(); ++j) {
    TACET_TRY(Grid made, grid(j, open.precision(j)));
    described.push_back({columns[j]->name, made});
    grids.push_back(std::move(made));
    plan.missing.push_back(missing_numbers(*columns[j]));
  }
  plan.map = std::move(grids);
  TACET_TRY(const MomentSums sums, open.read(plan, options.progress));

  std::vector<Int128> values;
  values.reserve(layout.size());
  for (std::size_t group = 0; group < layout.shape.groups; ++group) {
    if (layout.counts) values.push_back(sums.rows(group));
    for (std::size_t i = 0; i < layout.shape.width(); ++i) values.push_back(sums.figure(group, i));
  }
  kernel::BoxSensitivity sensitivity =
      moment_sensitivity(declared.relation(), described, layout, request.groups ? request.groups->membership : Membership::Private);
  return Moments{std::move(described), layout, public_rows(declared.terms(), by, request.groups, sums),
                 kernel::Vault::trusted_seal(std::move(values), std::move(sensitivity), declared.terms().id())};
}

Result<ClippedSums> clipped_sums(const DataFile& file, const Declared& declared, const std::vector<std::string>& names,
                                 const ClipRequest& clip, const std::optional<Groups>& groups, const CountOptions& options) {
  const Schema& schema = declared.schema();
  TACET_CHECK(check_membership(declared.relation(), groups));
  TACET_TRY(const std::vector<const Column*> columns, numeric_columns(schema, names));
  TACET_TRY(const Column* by, group_column(schema, groups));
  std::vector<Bounds> bounds;
  RowPlan plan{{}, {}, {clip.map.size(), false, 1}};
  for (const Column* column : columns) {
    bounds.push_back(*column->bounds);
    plan.missing.push_back(missing_numbers(*column));
  }
  TACET_TRY(plan.map, NormClip::of(bounds, clip));
  TACET_TRY(plan.shape.groups, group_count(by, plan.shape.width()));
  TACET_TRY(OpenFile open, OpenFile::open(file, schema, columns, by, options));
  TACET_TRY(const MomentSums sums, open.read(plan, options.progress));

  std::vector<Int128> values;
  for (std::size_t group = 0; group < plan.shape.groups; ++group) {
    for (std::size_t i = 0; i < plan.shape.columns; ++i) values.push_back(sums.sum(group, i));
  }
  return ClippedSums{
      names, clip, public_rows(declared.terms(), by, groups, sums),
      kernel::Vault::trusted_seal(std::move(values), clip_sensitivity(declared.relation(), clip.steps), declared.terms().id())};
}

}  // namespace tacet::data
