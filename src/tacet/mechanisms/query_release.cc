#include "tacet/mechanisms/query_release.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/mechanisms/moment_result.h"
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

json shown_n(const QueryPart& part) { return part.n_is_public ? json(static_cast<std::int64_t>(part.n)) : json(nullptr); }

json people_json(const QueryPart& part) { return {{"value", part.n}, {"scale", part.people_scale.value_or(0)}}; }

/// The one part of a file without groups.
Result<QueryPart> everybody(const json& file, std::size_t coordinates) {
  QueryPart part{};
  TACET_TRY(part.n, positive_size(file, "planned_n"));
  TACET_TRY(const json* n, kQueryFields.member(file, "n"));
  part.n_is_public = !n->is_null();
  if (part.n_is_public) TACET_CHECK(check_people(part.n));
  if (file.contains("people")) {
    TACET_TRY(part.people_scale, positive_size(file["people"], "scale"));
    if (part.n_is_public) return kQueryFields.bad("people", "noisy", "must not be given beside a public n");
  }
  TACET_TRY(const json* sums, kQueryFields.member(file, "sums"));
  TACET_TRY(part.sums, numbers(*sums, "sums", coordinates));
  return part;
}

/// The part of a group: a public number of people, which may be 0, or a noisy one, which is
/// positive.
Result<QueryPart> group_part(const json& item, std::size_t coordinates) {
  QueryPart part{};
  TACET_TRY(const json* people, kQueryFields.member(item, "people"));
  TACET_TRY(const json* scale, kQueryFields.member(*people, "scale"));
  TACET_TRY(const json* number, kQueryFields.member(*people, "value"));
  part.n_is_public = *scale == 0;
  if (part.n_is_public) {
    TACET_TRY(part.n, kQueryFields.finite(*number, "n"));
    TACET_CHECK(check_people(part.n));
  } else {
    TACET_TRY(part.n, kQueryFields.positive(*number, "people"));
    TACET_TRY(part.people_scale, kQueryFields.positive(*scale, "scale"));
  }
  TACET_TRY(const json* sums, kQueryFields.member(item, "sums"));
  TACET_TRY(part.sums, numbers(*sums, "sums", coordinates));
  return part;
}

Result<std::vector<QueryPart>> parts_of(const json& file, const QueryRelease& release) {
  TACET_TRY(const json* items, kQueryFields.member(file, "parts"));
  const std::size_t count = release.groups->labels.size();
  if (!items->is_array() || items->size() != count) return kQueryFields.bad("parts", "no list", fmt::format("must be a list of {}", count));
  std::vector<QueryPart> parts;
  double people = 0;
  for (const json& item : *items) {
    TACET_TRY(QueryPart part, group_part(item, release.map.rows));
    if (part.n_is_public) people += part.n;
    TACET_CHECK(check_people(people));
    parts.push_back(std::move(part));
  }
  return parts;
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

std::vector<double> QueryRelease::mean(std::size_t group) const {
  const QueryPart& part = parts.at(group);
  const Eigen::MatrixXd forward = matrix_view(map);
  const Eigen::VectorXd average = vector_view(part.sums) / part.n;
  const auto middle = vector_view(centre);
  const Eigen::VectorXd out =
      is_direction() ? Eigen::VectorXd(average + forward * middle) : Eigen::VectorXd(middle + forward.partialPivLu().solve(average));
  return {out.data(), out.data() + out.size()};
}

std::vector<double> QueryRelease::mean_sd(std::size_t group) const {
  const QueryPart& part = parts.at(group);
  const std::vector<double> means = mean(group);
  const double of_people = part.people_scale.value_or(0);
  // The noise of a ratio, at its estimate (docs/explanation/moments.md).
  if (is_direction()) return {std::hypot(scale, of_people * part.sums[0] / part.n) / part.n};
  const Eigen::MatrixXd inverse = matrix_view(map).inverse();
  std::vector<double> out;
  for (std::size_t j = 0; j < means.size(); ++j)
    out.push_back(std::hypot(inverse.row(static_cast<Eigen::Index>(j)).norm() * scale, of_people * (means[j] - centre[j])) / part.n);
  return out;
}

std::optional<std::string> QueryRelease::why_no_mean(std::size_t group) const {
  const QueryPart& part = parts.at(group);
  if (!groups) return std::nullopt;
  if (!part.people_scale) return part.n < 1 ? std::optional<std::string>("nobody is in the group") : std::nullopt;
  if (part.n >= 1 && part.n > kCountOverNoise * *part.people_scale) return std::nullopt;
  return fmt::format("its noisy number of {}, {:.4g}, is within {:g} times its noise of 0, so the group may be empty",
                     name(header.counted()), part.n, kCountOverNoise);
}

json to_json(const QueryRelease& release) {
  json file = header_json(release.header, "query");
  file.update({{"columns", release.columns},
               {"centre", release.centre},
               {"map", nested(release.map)},
               {"radius", release.clipped ? json(release.radius) : json(nullptr)},
               {"noise", {{"family", "gaussian"}, {"scale", release.scale}, {"structure", "independent"}}}});
  if (!release.groups) {
    const QueryPart& part = release.parts.at(0);
    file.update({{"n", shown_n(part)}, {"planned_n", part.n}, {"sums", part.sums}, {"values", release.mean()}});
    if (part.people_scale) file["people"] = people_json(part);
    return file;
  }
  json parts = json::array();
  json values = json::array();
  json noise_sd = json::array();
  json no_answer = json::array();
  QueryPart all{};
  for (std::size_t group = 0; group < release.parts.size(); ++group) {
    const QueryPart& part = release.parts[group];
    const auto reason = release.why_no_mean(group);
    parts.push_back({{"people", people_json(part)}, {"sums", part.sums}});
    values.push_back(reason ? json(nullptr) : json(release.mean(group)));
    noise_sd.push_back(reason ? json(nullptr) : json(release.mean_sd(group)));
    no_answer.push_back(reason ? json(*reason) : json(nullptr));
    all.n += part.n;
    all.n_is_public = all.n_is_public && part.n_is_public;
  }
  file.update({{"n", shown_n(all)},
               {"groups", groups_json(release.groups)},
               {"parts", parts},
               {"values", values},
               {"noise_sd", noise_sd},
               {"no_answer", no_answer}});
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
  TACET_TRY(const json* noise, kQueryFields.member(value, "noise"));
  TACET_TRY(release.scale, positive_size(*noise, "scale"));
  if (value.contains("groups")) {
    TACET_TRY(release.groups, read_groups(kQueryFields, value["groups"]));
  }
  if (release.groups) {
    TACET_TRY(release.parts, parts_of(value, release));
  } else {
    TACET_TRY(release.parts.at(0), everybody(value, release.map.rows));
  }
  return release;
}

}  // namespace tacet::mechanisms
