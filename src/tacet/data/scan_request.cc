#include "tacet/data/scan_request.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "tacet/data/canonical_schema.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::data {
namespace {

using Json = nlohmann::json;

Json json_of(const ScanRequest& request) {
  Json json{{"numbers", request.numbers}, {"by", request.by}, {"products", request.products}, {"centres", Json::array()}};
  for (const Decimal& centre : request.centres) json["centres"].push_back(centre.to_string());
  if (const auto& clip = request.clip)  // doubles keep every bit
    json["clip"] = {{"centre", clip->centre}, {"map", clip->map}, {"radius", clip->radius}, {"steps", clip->steps}};
  return json;
}

std::optional<ScanRequest> request_of(const Json& json) {
  ScanRequest request{.numbers = json.at("numbers"), .by = json.at("by"), .products = json.at("products")};
  for (const Json& centre : json.at("centres")) {
    const auto number = Decimal::parse(centre.get<std::string>());
    if (!number.ok()) return std::nullopt;
    request.centres.push_back(*number);
  }
  if (json.contains("clip")) {
    const Json& clip = json["clip"];
    request.clip = ClipRequest{clip.at("centre"), clip.at("map"), clip.at("radius"), clip.at("steps")};
  }
  return request;
}

Error not_declared() {
  return Error::of(Code::SchemaInvalid, "the request is for a column that the terms do not declare as it is used, or for too many at once",
                   "sums need bounds and tables need categories: tacet dataset show");
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

std::string request_text(const AskedScan& asked) {
  Json json{{"schema", canonical(asked.schema)},
            {"threads", asked.threads},
            {"kind", asked.form.kind},
            {"delimiter", std::string(1, asked.form.delimiter)},
            {"gzip", asked.form.gzip}};
  if (asked.request) json["request"] = json_of(*asked.request);
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

std::optional<AskedScan> read_request(std::string_view text) {
  const Json json = Json::parse(text);
  auto schema = schema_from_canonical(json.at("schema").get<std::string>());
  if (!schema.ok()) return std::nullopt;
  AskedScan asked{
      *std::move(schema), {}, {json.at("kind"), json.at("delimiter").get<std::string>().front(), json.at("gzip")}, json.at("threads")};
  if (json.contains("request")) asked.request = request_of(json["request"]);
  return asked;
}

}  // namespace tacet::data
