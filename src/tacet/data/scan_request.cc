#include "tacet/data/scan_request.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "tacet/data/canonical_schema.h"
#include "tacet/kernel/sensitive.h"

// The request crosses as CBOR, field by field; both programs are of one build (shared_region.h).
NLOHMANN_JSON_NAMESPACE_BEGIN
template <class T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& to, const std::optional<T>& value) { to = value ? json(*value) : json(); }
  static void from_json(const json& from, std::optional<T>& value) {
    if (!from.is_null()) value = from.get<T>();
  }
};
template <>
struct adl_serializer<tacet::Decimal> {
  static void to_json(json& to, const tacet::Decimal& value) { to = value.to_string(); }
  static void from_json(const json& from, tacet::Decimal& value) { value = *tacet::Decimal::parse(from.get<std::string>()); }
};
NLOHMANN_JSON_NAMESPACE_END

namespace tacet::data {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Categories, labels, declared, other, missing)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Bounds, lower, upper, resolution, missing)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NumberText, thousands, decimal, unit, date)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Column, name, categories, bounds, bins, text, missing_values)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CsvDialect, delimiter, quote, escape, header, line_breaks_in_quotes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Contributions, person, rows, groups)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Schema, table, csv, columns, contributions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClipRequest, centre, map, radius, steps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClassTest, column, cuts, accepts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RowFilter, tests, steps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Bins, column, edges)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PersonLimit, column, rows, groups, key)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ScanRequest, numbers, by, products, centres, clip, where, bins, people)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileForm, kind, delimiter, gzip)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AskedScan, schema, request, form, threads)

namespace {

bool increasing(const std::vector<Decimal>& numbers) {
  return std::adjacent_find(numbers.begin(), numbers.end(), [](const Decimal& a, const Decimal& b) { return !(a < b); }) == numbers.end();
}

constexpr std::size_t kMostBytesOfSums = std::size_t{1} << 30;

// A missing value that is a number means that number, in any form; other texts are missing anyway.
std::vector<double> missing_numbers(const Column& column) {
  std::vector<double> numbers;
  for (const std::string& text : column.missing_values) {
    const double number = read_number(text, column.text);
    if (!std::isnan(number)) numbers.push_back(number);
  }
  return numbers;
}

/// The number in the precision of the column, or 0.1 would not equal 0.1.
double stored(const Decimal& number, const StoredColumn& column) {
  const double value = number.approximate();
  return std::holds_alternative<float>(column.kind) ? static_cast<double>(static_cast<float>(value)) : value;
}

/// The edges of the bins of this column in a table; nothing: its categories are texts.
const std::vector<Decimal>* edges_of(const Schema& schema, const ScanRequest& request, const std::string& name) {
  for (const Bins& bins : request.bins) {
    if (bins.column == name) return &bins.edges;
  }
  const Column* const column = schema.find(name);
  return column == nullptr || column->bins.empty() ? nullptr : &column->bins;
}

/// The number of cells of this column; 0 if it is not declared as needed.
std::size_t cells_of(const Schema& schema, const ScanRequest& request, const std::string& name) {
  const Column* const column = schema.find(name);
  if (const std::vector<Decimal>* const edges = edges_of(schema, request, name))
    return column != nullptr && increasing(*edges) && edges->size() > 1 && (column->bounds || edges == &column->bins) ? edges->size() : 0;
  return column != nullptr && column->categories ? column->categories->labels.size() : 0;
}

/// The number of classes of a test; 0 if it does not fit the column.
std::size_t classes_of(const Schema& schema, const ClassTest& test) {
  const Column* const column = schema.find(test.column);
  if (column == nullptr) return 0;
  if (!test.cuts.empty()) return column->bounds && increasing(test.cuts) ? 2 * test.cuts.size() + 2 : 0;
  return column->categories && column->bins.empty() ? column->categories->labels.size() : 0;
}

/// Bit j: a missing number j is left out.
std::uint64_t left_out(const Schema& schema, const ScanRequest& request) {
  std::uint64_t bits = 0;
  for (std::size_t j = 0; j < request.numbers.size(); ++j)
    bits |= std::uint64_t{schema.find(request.numbers[j])->bounds->missing ? 0U : 1U} << j;
  return bits;
}

/// Makes a plan of a request, one column of the source after the other.
class Planner {
 public:
  Planner(const Schema& schema, const ScanRequest& request, const std::vector<SourceColumn>& columns, const MomentShape& shape)
      : schema_(schema), request_(request), columns_(columns), plan_{.map = {}, .shape = shape} {}

  Scanning<RowPlan> plan() {
    for (const std::string& name : request_.numbers) TACET_CHECK(add_number(name));
    for (const std::string& name : request_.by) {
      const std::vector<Decimal>* const edges = edges_of(schema_, request_, name);
      const auto size = static_cast<std::uint32_t>(cells_of(schema_, request_, name));
      // The first and the last edge are no cuts: a number beyond them is in the nearest bin.
      TACET_CHECK(edges == nullptr ? add_cells(name, size, plan_.by)
                                   : add_classes(name, size, {edges->begin() + 1, edges->end() - 1}, /*apart=*/false, plan_.by));
    }
    plan_.filter = request_.where;
    for (const ClassTest& test : request_.where.tests) {
      const auto size = static_cast<std::uint32_t>(test.accepts.size());
      TACET_CHECK(test.cuts.empty() ? add_cells(test.column, size, plan_.tested)
                                    : add_classes(test.column, size, test.cuts, /*apart=*/true, plan_.tested));
    }
    if (request_.people) {
      const Column& column = *schema_.find(request_.people->column);
      plan_.people = std::make_shared<PersonRows>(*request_.people, plan_.shape.columns, column.missing_values);
      plan_.person = plan_.texts.size();
      TACET_CHECK(add_text(request_.people->column, plan_.people));
    }
    plan_.left_out = left_out(schema_, request_);
    auto map = row_map(schema_, request_, plan_.single);
    if (!map.ok()) return Fault{};
    plan_.map = *std::move(map);
    return std::move(plan_);
  }

 private:
  using Done = Scanning<std::monostate>;

  Scanning<std::size_t> position(const std::string& name) {
    const auto is_it = [&](const SourceColumn& column) { return column.name == name; };
    if (std::count_if(columns_.begin(), columns_.end(), is_it) != 1) return Fault{Fault::WrongColumn, asked_};
    return static_cast<std::size_t>(std::find_if(columns_.begin(), columns_.end(), is_it) - columns_.begin());
  }

  Done add_number(const std::string& name) {
    TACET_TRY(const std::size_t at, position(name));
    const Column& column = *schema_.find(name);
    const std::optional<StoredColumn>& numbers = columns_[at].numbers;
    // Dates are numbers only where the schema says so, and then only dates or texts are.
    const bool readable =
        numbers && (std::holds_alternative<Date>(numbers->kind) ? column.text.date : !column.text.date || has_texts(*numbers));
    if (!readable) return Fault{Fault::NoNumbers, asked_};
    const std::size_t j = plan_.numbers.size();
    if (std::holds_alternative<float>(numbers->kind) && j < request_.numbers.size()) plan_.single |= std::uint64_t{1} << j;
    NumberInput input{at, missing_numbers(column), column.text};
    input.lower = column.bounds ? stored(column.bounds->lower, *numbers) : -std::numeric_limits<double>::infinity();
    input.upper = column.bounds ? stored(column.bounds->upper, *numbers) : std::numeric_limits<double>::infinity();
    plan_.numbers.push_back(std::move(input));
    ++asked_;
    return std::monostate();
  }

  Done add_classes(const std::string& name, std::uint32_t size, const std::vector<Decimal>& cuts, bool apart, std::vector<RowClasses>& to) {
    TACET_CHECK(add_number(name));
    RowClasses classes{.number = true, .input = plan_.numbers.size() - 1, .size = size, .apart = apart};
    for (const Decimal& cut : cuts) classes.cuts.push_back(stored(cut, *columns_[plan_.numbers.back().column].numbers));
    to.push_back(std::move(classes));
    return std::monostate();
  }

  Done add_cells(const std::string& name, std::uint32_t size, std::vector<RowClasses>& to) {
    const Column& column = *schema_.find(name);
    to.push_back({.number = false, .input = plan_.texts.size(), .size = size});
    return add_text(name, Coder(*column.categories, column.missing_values));
  }

  Done add_text(const std::string& name, std::variant<Coder, std::shared_ptr<PersonRows>> codes) {
    TACET_TRY(const std::size_t at, position(name));
    if (!columns_[at].has_text) return Fault{Fault::NoText, asked_};
    plan_.texts.push_back({at, std::move(codes)});
    ++asked_;
    return std::monostate();
  }

  const Schema& schema_;
  const ScanRequest& request_;
  const std::vector<SourceColumn>& columns_;
  RowPlan plan_;
  std::uint32_t asked_ = 0;  // the column of the request
};

Error not_declared() {
  return Error::of(Code::SchemaInvalid, "the request is for a column that the terms do not declare as it is used, or for too many at once",
                   "sums need bounds and tables need categories: `dataset show`");
}

}  // namespace

std::vector<std::string> ScanRequest::columns() const {
  std::vector<std::string> names = numbers;
  names.insert(names.end(), by.begin(), by.end());
  for (const ClassTest& test : where.tests) names.push_back(test.column);
  if (people) names.push_back(people->column);
  return names;
}

Result<MomentShape> shape_of(const Schema& schema, const ScanRequest& request) {
  MomentShape shape{request.clip ? request.clip->map.size() : request.numbers.size(), request.products, 1};
  if (request.numbers.size() > kernel::kMostColumns) return not_declared();
  for (const std::string& name : request.numbers) {
    const Column* const column = schema.find(name);
    if (column == nullptr || !column->bounds) return not_declared();
  }
  for (const std::string& name : request.by) {
    shape.groups *= std::min(cells_of(schema, request, name), kMostCells + 1);
    if (shape.groups == 0 || shape.groups > kMostCells) return not_declared();
  }
  for (const ClassTest& test : request.where.tests) {
    if (test.accepts.empty() || test.accepts.size() != classes_of(schema, test)) return not_declared();
  }
  if (!(request.where == RowFilter()) && !request.where.depth()) return not_declared();
  if (left_out(schema, request) != 0 || !request.where.steps.empty()) shape.units = shape.groups;
  if (!request.people) return shape;
  if (schema.find(request.people->column) == nullptr) return not_declared();
  shape.units = 1;
  return shape;
}

std::vector<std::string> cell_labels(const Schema& schema, const ScanRequest& request, const std::string& name) {
  const std::vector<Decimal>* const edges = edges_of(schema, request, name);
  const Column& column = *schema.find(name);
  if (edges == nullptr || edges == &column.bins) return column.categories->labels;
  std::vector<std::string> labels = bin_labels(*edges, column.text.date);
  labels.emplace_back("missing");
  return labels;
}

Result<RowMap> row_map(const Schema& schema, const ScanRequest& request, std::uint64_t single) {
  if (request.clip) {
    std::vector<Bounds> bounds;
    for (const std::string& name : request.numbers) bounds.push_back(*schema.find(name)->bounds);
    TACET_TRY(NormClip clip, NormClip::of(bounds, *request.clip));
    return RowMap(std::move(clip));
  }
  std::vector<Grid> grids;
  for (std::size_t j = 0; j < request.numbers.size(); ++j) {
    const auto centre = request.centres.empty() ? std::optional<Decimal>() : std::optional(request.centres[j]);
    TACET_TRY(Grid grid, Grid::of(request.numbers[j], *schema.find(request.numbers[j])->bounds, centre,
                                  ((single >> j) & 1U) != 0 ? Precision::Single : Precision::Double));
    grids.push_back(std::move(grid));
  }
  return RowMap(std::move(grids));
}

Scanning<Sums> sum_rows(const Schema& schema, const ScanRequest& request, const std::vector<SourceColumn>& columns, const Fold& fold) {
  const auto shape = shape_of(schema, request);
  if (!shape.ok()) return Fault{};
  TACET_TRY(RowPlan plan, Planner(schema, request, columns, *shape).plan());
  MomentSums added(plan.shape);
  TACET_TRY(const std::int64_t rows, fold(plan, added));
  if (plan.people) plan.people->add_to(added);
  Sums sums{plan.shape, added.take(), plan.single, std::move(plan.map)};
  return (plan.people ? plan.people->rows() : sums.people()) == rows ? Scanning<Sums>(std::move(sums)) : Fault{};
}

unsigned affordable_threads(const ScanRequest& request, const MomentShape& shape, const CountOptions& options) {
  if (request.people) return 1;  // the rows of a person have an order
  const std::size_t affordable = kMostBytesOfSums / (shape.groups * (sizeof(std::int64_t) + shape.width() * sizeof(Int128)));
  const unsigned wanted = options.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options.threads;
  return static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, affordable)));
}

std::string request_text(const AskedScan& asked) {
  std::string bytes;
  nlohmann::json::to_cbor(asked, bytes);
  return bytes;
}

AskedScan read_request(std::string_view text) { return nlohmann::json::from_cbor(text).get<AskedScan>(); }

}  // namespace tacet::data
