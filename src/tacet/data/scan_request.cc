#include "tacet/data/scan_request.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "tacet/data/canonical_schema.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::data {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClipRequest, centre, map, radius, steps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileForm, kind, delimiter, gzip)

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostBytesOfSums = std::size_t{1} << 30;

Json json_of(const ScanRequest& request) {
  Json json{{"numbers", request.numbers}, {"by", request.by}, {"products", request.products}, {"centres", Json::array()}};
  for (const Decimal& centre : request.centres) json["centres"].push_back(centre.to_string());
  if (request.clip) json["clip"] = *request.clip;  // doubles keep every bit
  return json;
}

std::optional<ScanRequest> request_of(const Json& json) {
  ScanRequest request{.numbers = json.at("numbers"), .by = json.at("by"), .products = json.at("products")};
  for (const Json& centre : json.at("centres")) {
    const auto number = Decimal::parse(centre.get<std::string>());
    if (!number.ok()) return std::nullopt;
    request.centres.push_back(*number);
  }
  if (json.contains("clip")) request.clip = json["clip"].get<ClipRequest>();
  return request;
}

Scanning<std::size_t> position(const std::vector<SourceColumn>& columns, const std::string& name, std::uint32_t asked) {
  const auto is_it = [&](const SourceColumn& column) { return column.name == name; };
  if (std::count_if(columns.begin(), columns.end(), is_it) != 1) return Fault{Fault::WrongColumn, asked};
  return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(), is_it) - columns.begin());
}

// A missing value that is a number means that number, in any form; other texts are missing anyway.
std::vector<double> missing_numbers(const Column& column) {
  std::vector<double> numbers;
  for (const std::string& text : column.missing_values) {
    const double number = read_number(text);
    if (!std::isnan(number)) numbers.push_back(number);
  }
  return numbers;
}

Scanning<RowPlan> row_plan(const Schema& schema, const ScanRequest& request, const std::vector<SourceColumn>& columns) {
  const auto shape = shape_of(schema, request);
  if (!shape.ok()) return Fault{};
  RowPlan plan{{}, {}, *shape};
  std::uint32_t asked = 0;
  for (const std::string& name : request.numbers) {
    TACET_TRY(const std::size_t at, position(columns, name, asked));
    if (!columns[at].numbers) return Fault{Fault::NoNumbers, asked};
    if (std::holds_alternative<float>(columns[at].numbers->kind)) plan.single |= std::uint64_t{1} << asked;
    plan.numbers.push_back(at);
    plan.missing.push_back(missing_numbers(*schema.find(name)));
    ++asked;
  }
  auto stride = static_cast<std::uint32_t>(shape->groups);
  for (const std::string& name : request.by) {
    TACET_TRY(const std::size_t at, position(columns, name, asked));
    if (!columns[at].has_text) return Fault{Fault::NoText, asked};
    const Column& column = *schema.find(name);
    Coder coder(*column.categories, column.missing_values);
    stride /= coder.size();
    plan.axes.push_back({at, std::move(coder), stride});
    ++asked;
  }
  auto map = row_map(schema, request, plan.single);
  if (!map.ok()) return Fault{};
  plan.map = *std::move(map);
  return plan;
}

Error not_declared() {
  return Error::of(Code::SchemaInvalid, "the request is for a column that the terms do not declare as it is used, or for too many at once",
                   "sums need bounds and tables need categories: `dataset show`");
}

}  // namespace

std::string ScanRequest::column(std::size_t i) const {
  if (i < numbers.size()) return numbers[i];
  return i - numbers.size() < by.size() ? by[i - numbers.size()] : std::string();
}

Result<MomentShape> shape_of(const Schema& schema, const ScanRequest& request) {
  MomentShape shape{request.clip ? request.clip->map.size() : request.numbers.size(), request.products, 1};
  bool sound = request.numbers.size() <= kernel::kMostColumns;
  for (const std::string& name : request.numbers) {
    const Column* const column = schema.find(name);
    sound = sound && column != nullptr && column->bounds;
  }
  for (const std::string& name : request.by) {
    const Column* const column = schema.find(name);
    if (column == nullptr || !column->categories) return not_declared();
    shape.groups *= std::min(column->categories->labels.size(), kMostCells + 1);
    if (shape.groups > kMostCells) return not_declared();
  }
  return sound ? Result<MomentShape>(shape) : not_declared();
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
  TACET_TRY(RowPlan plan, row_plan(schema, request, columns));
  MomentSums added(plan.shape);
  TACET_TRY(const std::int64_t rows, fold(plan, added));
  Sums sums{plan.shape, added.take(), plan.single, std::move(plan.map)};
  return sums.people() == rows ? Scanning<Sums>(std::move(sums)) : Fault{};
}

unsigned affordable_threads(const MomentShape& shape, const CountOptions& options) {
  const std::size_t affordable = kMostBytesOfSums / (shape.groups * (sizeof(std::int64_t) + shape.width() * sizeof(Int128)));
  const unsigned wanted = options.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options.threads;
  return static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, affordable)));
}

std::string request_text(const AskedScan& asked) {
  Json json{{"schema", canonical(asked.schema)}, {"threads", asked.threads}, {"form", asked.form}};
  if (asked.request) json["request"] = json_of(*asked.request);
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

std::optional<AskedScan> read_request(std::string_view text) {
  const Json json = Json::parse(text);
  auto schema = schema_from_canonical(json.at("schema").get<std::string>());
  if (!schema.ok()) return std::nullopt;
  AskedScan asked{*std::move(schema), {}, json.at("form"), json.at("threads")};
  if (json.contains("request")) asked.request = request_of(json["request"]);
  return asked;
}

}  // namespace tacet::data
