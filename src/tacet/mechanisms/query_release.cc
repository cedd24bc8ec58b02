#include "tacet/mechanisms/query_release.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kQueryFields("give a file written by `release query` or `import mean`");

Result<double> positive_size(const json& object, const std::string& field) {
  TACET_TRY(const json* value, kQueryFields.member(object, field));
  return kQueryFields.positive(*value, field);
}

Result<std::vector<double>> numbers(const json& value, const std::string& field, std::size_t count) {
  if (!value.is_array() || value.size() != count)
    return kQueryFields.bad(field, "another length", fmt::format("must be a list of {} numbers", count));
  std::vector<double> out;
  for (const json& item : value) {
    TACET_TRY(const double one, kQueryFields.finite(item, field));
    out.push_back(one);
  }
  return out;
}

/// Rows are scaled first: the determinant of many small rows underflows to 0.
bool invertible(Eigen::MatrixXd matrix) {
  const Eigen::VectorXd lengths = matrix.rowwise().norm();
  if (!(lengths.minCoeff() > 0)) return false;
  matrix = lengths.cwiseInverse().asDiagonal() * matrix;
  return Eigen::FullPivLU<Eigen::MatrixXd>(matrix).isInvertible();
}

}  // namespace

std::optional<QueryBy> QueryRelease::by() const {
  const json statement = json::parse(header.statement, nullptr, /*allow_exceptions=*/false);
  const json by = statement.is_object() ? statement.value("by", json()) : json();
  const auto known = by.is_string() ? named<QueryBy>("by", by.get<std::string>()) : named<QueryBy>("by", "");
  return known ? std::optional(*known) : std::nullopt;
}

std::vector<double> QueryRelease::mean() const {
  const Eigen::MatrixXd forward = matrix_view(map);
  const Eigen::VectorXd average = vector_view(sums) / n;
  const auto middle = vector_view(centre);
  const Eigen::VectorXd out =
      is_direction() ? Eigen::VectorXd(average + forward * middle) : Eigen::VectorXd(middle + forward.partialPivLu().solve(average));
  return {out.data(), out.data() + out.size()};
}

std::vector<double> QueryRelease::mean_sd() const {
  const std::vector<double> means = mean();
  const double of_people = people_scale.value_or(0);
  // The noise of a ratio, at its estimate (docs/explanation/moments.md).
  if (is_direction()) return {std::hypot(scale, of_people * sums[0] / n) / n};
  const Eigen::MatrixXd inverse = matrix_view(map).inverse();
  std::vector<double> out;
  for (std::size_t j = 0; j < means.size(); ++j)
    out.push_back(std::hypot(inverse.row(static_cast<Eigen::Index>(j)).norm() * scale, of_people * (means[j] - centre[j])) / n);
  return out;
}

json to_json(const QueryRelease& release) {
  json file = header_json(release.header, "query");
  file.update({{"n", release.n_is_public ? json(static_cast<std::int64_t>(release.n)) : json(nullptr)},
               {"planned_n", release.n},
               {"columns", release.columns},
               {"centre", release.centre},
               {"map", nested(release.map)},
               {"radius", release.clipped ? json(release.radius) : json(nullptr)},
               {"sums", release.sums},
               {"values", release.mean()},
               {"noise", {{"family", "gaussian"}, {"scale", release.scale}, {"structure", "independent"}}}});
  if (release.people_scale) file["people"] = {{"value", release.n}, {"scale", *release.people_scale}};
  return file;
}

Result<QueryRelease> query_release_from_json(const json& value) {
  TACET_CHECK(kQueryFields.check_kind(value, "query"));
  QueryRelease release{};
  TACET_TRY(release.header, kQueryFields.header(value));
  TACET_TRY(const json* columns, kQueryFields.member(value, "columns"));
  if (!columns->is_array() || columns->empty() || columns->size() > kernel::kMostColumns)
    return kQueryFields.bad("columns", "no list", fmt::format("must be a list of 1 to {} names", kernel::kMostColumns));
  TACET_TRY(release.columns, kQueryFields.texts(*columns, "columns"));
  const std::size_t d = release.columns.size();
  TACET_TRY(const json* centre, kQueryFields.member(value, "centre"));
  TACET_TRY(release.centre, numbers(*centre, "centre", d));
  TACET_TRY(const json* map, kQueryFields.member(value, "map"));
  if (!map->is_array() || (map->size() != d && map->size() != 1))
    return kQueryFields.bad("map", "another shape", "must have a line for each column, or one");
  release.map = {map->size(), d, {}};
  for (const json& line : *map) {
    TACET_TRY(const std::vector<double> row, numbers(line, "map", d));
    release.map.values.insert(release.map.values.end(), row.begin(), row.end());
  }
  if (release.map.rows == d && d > 0 && !invertible(matrix_view(release.map)) && !release.is_direction())
    return kQueryFields.bad("map", "singular", "must have an inverse");
  TACET_TRY(const json* radius, kQueryFields.member(value, "radius"));
  release.clipped = !radius->is_null();
  if (release.clipped) {
    TACET_TRY(release.radius, positive_size(value, "radius"));
  }
  TACET_TRY(release.n, positive_size(value, "planned_n"));
  TACET_TRY(const json* n, kQueryFields.member(value, "n"));
  release.n_is_public = !n->is_null();
  if (release.n_is_public) TACET_CHECK(check_people(release.n));
  if (value.contains("people")) {
    TACET_TRY(release.people_scale, positive_size(value["people"], "scale"));
    if (release.n_is_public) return kQueryFields.bad("people", "noisy", "must not be given beside a public n");
  }
  TACET_TRY(const json* sums, kQueryFields.member(value, "sums"));
  TACET_TRY(release.sums, numbers(*sums, "sums", release.map.rows));
  TACET_TRY(const json* noise, kQueryFields.member(value, "noise"));
  TACET_TRY(release.scale, positive_size(*noise, "scale"));
  return release;
}

}  // namespace tacet::mechanisms
