#include "tacet/mechanisms/moment_release.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/moment_result.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kMomentFields(
    "give a file written by `release sum`, `release mean`, `release second-moment` or `release covariance`");

Result<double> number_in(const json& object, const std::string& field) {
  TACET_TRY(const json* value, kMomentFields.member(object, field));
  return kMomentFields.finite(*value, field);
}

json noisy_json(const NoisyNumber& number) { return {{"value", number.value}, {"scale", number.scale}}; }

json list_json(const std::vector<NoisyNumber>& numbers) {
  json list = json::array();
  for (const NoisyNumber& number : numbers) list.push_back(noisy_json(number));
  return list;
}

Result<NoisyNumber> noisy_from(const json& value, const std::string& field, bool may_be_exact) {
  if (!value.is_object()) return kMomentFields.bad(field, "no object", "must have a value and a scale");
  NoisyNumber noisy{};
  TACET_TRY(noisy.value, number_in(value, "value"));
  TACET_TRY(const json* scale, kMomentFields.member(value, "scale"));
  if (may_be_exact && *scale == 0) return noisy;
  TACET_TRY(noisy.scale, kMomentFields.positive(*scale, "scale"));
  return noisy;
}

Result<std::vector<NoisyNumber>> list_from(const json& object, const std::string& field, std::size_t count) {
  TACET_TRY(const json* list, kMomentFields.member(object, field));
  if (!list->is_array() || list->size() != count) {
    return kMomentFields.bad(field, list->is_array() ? fmt::format("a list of {}", list->size()) : "no list",
                             fmt::format("must be a list of {}", count));
  }
  std::vector<NoisyNumber> numbers;
  for (const json& item : *list) {
    TACET_TRY(const NoisyNumber noisy, noisy_from(item, field, false));
    numbers.push_back(noisy);
  }
  return numbers;
}

Result<ReleasedColumn> column_from(const json& value) {
  if (!value.is_object())
    return kMomentFields.bad("columns", "no object", "must list objects with name, lower, upper, resolution and centre");
  ReleasedColumn column{};
  TACET_TRY(column.name, kMomentFields.text(value, "name"));
  TACET_TRY(column.lower, number_in(value, "lower"));
  TACET_TRY(column.upper, number_in(value, "upper"));
  TACET_TRY(column.resolution, number_in(value, "resolution"));
  TACET_TRY(column.centre, number_in(value, "centre"));
  if (!(column.lower < column.upper)) return kMomentFields.bad("upper", fmt::format("{}", column.upper), "must be greater than lower");
  if (!(column.resolution > 0)) return kMomentFields.bad("resolution", fmt::format("{}", column.resolution), "must be greater than 0");
  return column;
}

std::string_view structure_of(MomentMechanism mechanism) {
  if (mechanism == MomentMechanism::KNorm) return "k-norm";
  if (mechanism == MomentMechanism::CubeProducts) return "k-norm+independent";
  return mechanism == MomentMechanism::Eigen ? "eigenvectors" : "independent";
}

/// A list or a matrix, by the kind.
json result_json(const MomentRelease& release, const std::vector<double>& result) {
  return release.has_matrix() ? nested(result, {release.dimension(), release.dimension()}) : json(result);
}

}  // namespace

std::size_t MomentRelease::product(std::size_t j, std::size_t k) const {
  if (j > k) std::swap(j, k);
  return j * (2 * dimension() - j + 1) / 2 + (k - j);
}

std::size_t MomentRelease::draw_size() const {
  if (mechanism != MomentMechanism::KNorm && mechanism != MomentMechanism::CubeProducts) return 0;
  const GroupMoments& part = parts.front();
  return (part.people.scale > 0 ? 1 : 0) + part.sums.size() + (mechanism == MomentMechanism::KNorm ? part.products.size() : 0);
}

double MomentRelease::sum_noise_sd(double scale) const {
  if (mechanism == MomentMechanism::Gaussian) return scale;
  if (mechanism == MomentMechanism::Laplace || mechanism == MomentMechanism::Eigen) return std::sqrt(2.0) * scale;
  const auto d = static_cast<double>(draw_size());
  return std::sqrt((d + 1) * (d + 2) / 3) * scale;
}

double MomentRelease::product_noise_sd(double scale) const {
  // ed: of the eigenvalues.
  return mechanism == MomentMechanism::CubeProducts ? std::sqrt(2.0) * scale : sum_noise_sd(scale);
}

std::vector<double> MomentRelease::sum(std::size_t group) const {
  std::vector<double> sums;
  for (std::size_t j = 0; j < dimension(); ++j) sums.push_back(parts[group].sums[j].value + columns[j].centre * parts[group].people.value);
  return sums;
}

std::vector<double> MomentRelease::mean(std::size_t group) const {
  const double people = std::max(1.0, parts[group].people.value);
  std::vector<double> means;
  for (std::size_t j = 0; j < dimension(); ++j) means.push_back(columns[j].centre + parts[group].sums[j].value / people);
  return means;
}

Matrix MomentRelease::second_moment(std::size_t group) const {
  const std::size_t d = dimension();
  const double people = std::max(1.0, parts[group].people.value);
  Matrix matrix = Matrix::zeros(d, d);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < d; ++k) matrix.at(j, k) = parts[group].products[product(j, k)].value / people;
  }
  return matrix;
}

json to_json(const MomentRelease& release) {
  json columns = json::array();
  for (const ReleasedColumn& column : release.columns) {
    columns.push_back({{"name", column.name},
                       {"lower", column.lower},
                       {"upper", column.upper},
                       {"resolution", column.resolution},
                       {"centre", column.centre}});
  }
  json parts = json::array();
  json values = json::array();
  json noise_sd = json::array();
  json no_answer = json::array();
  bool n_is_public = true;
  double n = 0;
  for (std::size_t group = 0; group < release.parts.size(); ++group) {
    const GroupMoments& part = release.parts[group];
    parts.push_back({{"people", noisy_json(part.people)},
                     {"sums", list_json(part.sums)},
                     {"products", part.products.empty() ? json(nullptr) : list_json(part.products)}});
    const auto reason = why_no_answer(release, group);
    const MomentResult result = moment_result(release, group);
    values.push_back(reason ? json(nullptr) : result_json(release, result.values));
    noise_sd.push_back(reason || !result.noise_sd ? json(nullptr) : result_json(release, *result.noise_sd));
    no_answer.push_back(reason ? json(*reason) : json(nullptr));
    n_is_public = n_is_public && part.people.scale == 0;
    n += part.people.value;
  }
  json file = header_json(release.header, name(release.kind));
  file.update({{"n", n_is_public ? json(static_cast<std::int64_t>(n)) : json(nullptr)},
               {"columns", columns},
               {"groups", groups_json(release.groups)},
               {"values", release.groups ? values : values.at(0)},
               {"noise_sd", release.groups ? noise_sd : noise_sd.at(0)},
               {"no_answer", release.groups ? no_answer : no_answer.at(0)},
               {"parts", parts},
               {"noise", {{"family", name(release.mechanism)}, {"structure", structure_of(release.mechanism)}}}});
  if (release.floating_point) file["floating_point"] = *release.floating_point;
  return file;
}

Result<MomentRelease> moment_release_from_json(const json& value) {
  TACET_CHECK(kMomentFields.check_version(value));
  MomentRelease release{};
  TACET_TRY(release.kind, kMomentFields.choice<MomentKind>(value, "kind", "kind"));
  TACET_TRY(const json* columns, kMomentFields.member(value, "columns"));
  if (!columns->is_array() || columns->empty() || columns->size() > kernel::kMostColumns)
    return kMomentFields.bad("columns", "no list", fmt::format("must be a list of 1 to {} columns", kernel::kMostColumns));
  for (const json& item : *columns) {
    TACET_TRY(ReleasedColumn column, column_from(item));
    release.columns.push_back(std::move(column));
  }
  TACET_TRY(const json* groups, kMomentFields.member(value, "groups"));
  TACET_TRY(release.groups, read_groups(kMomentFields, *groups));
  TACET_TRY(const json* parts, kMomentFields.member(value, "parts"));
  const std::size_t d = release.dimension();
  const std::size_t count = release.groups ? release.groups->labels.size() : 1;
  if (!parts->is_array() || parts->size() != count)
    return kMomentFields.bad("parts", "no list", fmt::format("must be a list of {}", count));
  double public_people = 0;
  for (const json& item : *parts) {
    GroupMoments part{};
    TACET_TRY(const json* people, kMomentFields.member(item, "people"));
    TACET_TRY(part.people, noisy_from(*people, "people", true));
    TACET_TRY(part.sums, list_from(item, "sums", d));
    TACET_TRY(const json* products, kMomentFields.member(item, "products"));
    if (!products->is_null()) {
      TACET_TRY(part.products, list_from(item, "products", d * (d + 1) / 2));
    }
    if (part.people.scale == 0) {
      public_people += part.people.value;
      TACET_CHECK(check_people(part.people.value));
      TACET_CHECK(check_people(public_people));
    }
    if (release.has_matrix() && part.products.empty())
      return kMomentFields.bad("products", "null", fmt::format("must be there for the kind {}", name(release.kind)));
    release.parts.push_back(std::move(part));
  }
  TACET_TRY(const json* noise, kMomentFields.member(value, "noise"));
  TACET_TRY(release.mechanism, kMomentFields.choice<MomentMechanism>(*noise, "family", "family"));
  if (release.mechanism == MomentMechanism::CubeProducts && release.parts.front().products.empty())
    return kMomentFields.bad("family", std::string(name(release.mechanism)), "must be that of a release with products");
  TACET_TRY(release.header, kMomentFields.header(value));
  if (release.header.guarantee == Guarantee::Idealised) {
    TACET_TRY(release.floating_point, kMomentFields.text(value, "floating_point"));
  }
  return release;
}

}  // namespace tacet::mechanisms
