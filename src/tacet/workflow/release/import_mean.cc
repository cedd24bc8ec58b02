#include "tacet/workflow/release/import_mean.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/means/mean_distribution.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/workflow/release/declared_release.h"

namespace tacet {
namespace {

using mechanisms::matrix_view;
using mechanisms::MomentKind;
using mechanisms::MomentMechanism;
using mechanisms::RowMatrix;
using mechanisms::vector_view;

constexpr double kLeastImportedNoise = 1e-90;
constexpr double kMostImportedNoise = 1e90;
/// A covariance without noise: this part of a product counts as its noise.
constexpr double kNegligiblePart = 1e-9;
/// The resolution of imported columns is unknown; it is of no consequence for inference.
constexpr double kUnknownSteps = 0x1p20;

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// One number for all of `count`, or one for each.
Result<std::vector<double>> one_each(const std::string& name, std::vector<double> numbers, std::size_t count) {
  if (numbers.size() == 1) numbers.resize(count, numbers.front());
  if (numbers.size() == count) return numbers;
  return Error::invalid(name, numbers.empty() ? "missing" : fmt::format("{} numbers", numbers.size()),
                        fmt::format("must be one number for all {}, or one for each", count));
}

Status check_noise_scale(double scale) {
  if (scale >= kLeastImportedNoise && scale <= kMostImportedNoise) return {};
  return Error::invalid("noise scale", fmt::format("{}", scale), "must be a finite number greater than 0, between 1e-90 and 1e90",
                        "for example: noise = gaussian:0.4");
}

Result<std::vector<std::string>> column_names_of(const MeanImport& means, std::size_t count) {
  std::vector<std::string> names = means.columns;
  for (std::size_t j = 0; names.size() < count && means.columns.empty(); ++j) names.push_back(fmt::format("column {}", j + 1));
  if (names.size() != count) {
    return Error::invalid("columns", fmt::format("{} names", names.size()), fmt::format("must be one for each of the {} means", count));
  }
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return Error::invalid("columns", "a name twice", "must be different names");
  return names;
}

/// R with R R' = the covariance of the noise.
Result<RowMatrix> noise_root(const MeanImport& means) {
  const std::size_t count = means.values.size();
  if (const auto* independent = std::get_if<VectorNoise>(&means.noise)) {
    if (independent->family != NoiseFamily::Gaussian) {
      return Error::invalid("noise", std::string(name(independent->family)),
                            "must be gaussian where no bounds of the columns are given, or where a map is",
                            "give lower and upper, the bounds of each column, or see what the noise is before the map");
    }
    TACET_TRY(const std::vector<double> sd, one_each("noise", independent->scale, count));
    for (const double one : sd) TACET_CHECK(check_noise_scale(one));
    return RowMatrix(vector_view(sd).asDiagonal());
  }
  const Matrix& covariance = std::get<Matrix>(means.noise);
  const auto checked = inference::check_covariance(covariance.values, count);
  if (covariance.rows != count || !checked.ok()) {
    return Error::invalid("noise-covariance", fmt::format("a matrix of {} x {}", covariance.rows, covariance.columns),
                          fmt::format("must be a symmetric positive definite matrix of {0} x {0}", count),
                          "for example a file that holds [[0.16, 0], [0, 0.09]]");
  }
  // Correlations are decomposed, so that units do not matter.
  const RowMatrix sigma = matrix_view(covariance);
  const Eigen::VectorXd sd = sigma.diagonal().cwiseSqrt();
  const RowMatrix correlation = sd.cwiseInverse().asDiagonal() * sigma * sd.cwiseInverse().asDiagonal();
  return RowMatrix(sd.asDiagonal() * Eigen::LLT<RowMatrix>(correlation).matrixL().toDenseMatrix());
}

Result<QueryRelease> as_query(const MeanImport& means) {
  const std::size_t count = means.values.size();
  const std::size_t columns = means.map ? means.map->columns : count;
  if (means.map && (means.map->rows != count || (count != columns && count != 1) || columns == 0 || columns > kernel::kMostColumns)) {
    return Error::invalid("map", fmt::format("a matrix of {} x {}", means.map->rows, means.map->columns),
                          fmt::format("must have a row for each of the {} values, and be square unless it has one row", count));
  }
  QueryRelease release{};
  TACET_TRY(release.columns, column_names_of(means, columns));
  TACET_TRY(const RowMatrix root, noise_root(means));
  const RowMatrix map = means.map ? matrix_view(*means.map) : RowMatrix(RowMatrix::Identity(index(count), index(count)));
  const auto n = static_cast<double>(means.n);
  // A single value keeps its own units.
  const bool single = count == 1;
  const RowMatrix whiten = single ? RowMatrix(RowMatrix::Identity(1, 1)) : RowMatrix(root.inverse());
  const RowMatrix mapped = whiten * map;
  const Eigen::VectorXd values = whiten * vector_view(means.values);
  release.map = Matrix{count, columns, {mapped.data(), mapped.data() + mapped.size()}};
  release.centre.assign(columns, 0);
  release.clipped = false;
  release.scale = n * (single ? root(0, 0) : 1);
  release.parts = {{.n = n}};
  for (const double value : values) release.parts[0].sums.push_back(n * value);
  release.header.statement = R"({"import":"mean"})";
  return release;
}

/// The bounds of each column.
Result<std::vector<mechanisms::ReleasedColumn>> bounded_columns(const MeanImport& means) {
  const std::size_t count = means.values.size();
  TACET_TRY(const std::vector<std::string> names, column_names_of(means, count));
  TACET_TRY(const std::vector<double> lower, one_each("lower", means.lower, count));
  TACET_TRY(const std::vector<double> upper, one_each("upper", means.upper, count));
  std::vector<mechanisms::ReleasedColumn> columns;
  for (std::size_t j = 0; j < count; ++j) {
    if (!(lower[j] < upper[j])) {
      return Error::invalid("lower", fmt::format("{}", lower[j]), fmt::format("must be less than upper, which is {}", upper[j]),
                            "for example: lower = 0 upper = 120");
    }
    columns.push_back({names[j], lower[j], upper[j], (upper[j] - lower[j]) / kUnknownSteps, (lower[j] + upper[j]) / 2});
  }
  return columns;
}

/// The noisy products from the noisy covariance; `part` has its sums.
Status add_products(const MeanImport& means, const MomentRelease& release, mechanisms::GroupMoments& part) {
  const std::size_t d = means.values.size();
  const Matrix& covariance = *means.covariance;
  if (covariance.rows != d || covariance.columns != d) {
    return Error::invalid("covariance", fmt::format("a matrix of {} x {}", covariance.rows, covariance.columns),
                          fmt::format("must be a matrix of {0} x {0}", d));
  }
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      if (std::abs(covariance.at(j, k) - covariance.at(k, j)) <= 1e-9 * (std::abs(covariance.at(j, k)) + std::abs(covariance.at(k, j))))
        continue;
      return Error::invalid("covariance", "not symmetric", "must be symmetric: each entry is published once",
                            "where both halves have noise of their own, give their mean, and the noise of that");
    }
  }
  const auto n = static_cast<double>(means.n);
  if (n < 2) return Error::invalid("n", fmt::format("{}", means.n), "must be at least 2 for a covariance");
  if (means.covariance_noise) TACET_CHECK(check_noise_scale(*means.covariance_noise));
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) {
      const double first = means.values[j] - release.columns[j].centre;
      const double second = means.values[k] - release.columns[k].centre;
      const double of_noise = j == k ? std::pow(release.sum_noise_sd(part.sums[j].scale) / n, 2) : 0;
      const double value = (n - 1) * covariance.at(j, k) + n * (first * second - of_noise);
      const double size = n * (release.columns[j].upper - release.columns[j].lower) * (release.columns[k].upper - release.columns[k].lower);
      part.products.push_back({value, means.covariance_noise ? (n - 1) * *means.covariance_noise : kNegligiblePart * size});
    }
  }
  return {};
}

Result<MomentRelease> as_moments(const MeanImport& means) {
  const auto* noise = std::get_if<VectorNoise>(&means.noise);
  if (noise == nullptr) {
    return Error::invalid("noise-covariance", "given with bounds",
                          "must be left out where bounds are given: such a release has independent noise",
                          "leave lower and upper out for `infer region` and `infer mean-test`");
  }
  if (means.map) {
    return Error::invalid("map", "given with bounds", "must be left out where bounds are given", "leave lower and upper out");
  }
  MomentRelease release{};
  TACET_TRY(release.columns, bounded_columns(means));
  TACET_TRY(const std::vector<double> scale, one_each("noise", noise->scale, means.values.size()));
  release.kind = means.covariance ? MomentKind::Covariance : MomentKind::Mean;
  release.mechanism = noise->family == NoiseFamily::Gaussian ? MomentMechanism::Gaussian : MomentMechanism::Laplace;
  release.header.statement = R"({"import":"mean"})";
  const auto n = static_cast<double>(means.n);
  mechanisms::GroupMoments part{};
  part.people = {n, 0};
  for (std::size_t j = 0; j < means.values.size(); ++j) {
    TACET_CHECK(check_noise_scale(scale[j]));
    part.sums.push_back({n * (means.values[j] - release.columns[j].centre), n * scale[j]});
  }
  if (means.covariance) TACET_CHECK(add_products(means, release, part));
  release.parts.push_back(std::move(part));
  return release;
}

template <class Kind>
Result<MeanRelease> written(Result<Kind> release, const std::optional<std::string>& out) {
  if (!release.ok()) return release.error();
  TACET_TRY(Kind checked, imported(*std::move(release), out));
  return MeanRelease(std::move(checked));
}

}  // namespace

Result<MeanRelease> import_mean(const MeanImport& means) {
  if (means.values.empty() || means.values.size() > kernel::kMostColumns) {
    return Error::invalid("values", fmt::format("{} numbers", means.values.size()),
                          fmt::format("must be 1 to {} means", kernel::kMostColumns));
  }
  for (const double value : means.values)
    if (!std::isfinite(value)) return Error::invalid("values", fmt::format("{}", value), "must be finite numbers");
  TACET_CHECK(mechanisms::check_people(static_cast<double>(means.n)));
  if (means.n < 1) return Error::invalid("n", "0", "must be at least 1: nobody has no mean");
  const bool bounded = !means.lower.empty() || !means.upper.empty();
  if (means.covariance && !bounded) {
    return Error::invalid("covariance", "given without bounds",
                          "needs lower and upper, the bounds of the columns, to serve tests of equal means",
                          "for `infer region` and `infer mean-test` give a public covariance there");
  }
  if (means.covariance_noise && !means.covariance) {
    return Error::invalid("covariance-noise", fmt::format("{}", *means.covariance_noise), "goes with covariance");
  }
  return bounded ? written(as_moments(means), means.out) : written(as_query(means), means.out);
}

}  // namespace tacet
