#include "tacet/mechanisms/covariance.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tacet/mechanisms/eigen_matrix.h"

namespace tacet::mechanisms {
namespace {

constexpr double kFloorOverNoise = 0.1;
// Noise below this part of a variance counts as this much, so that rounding errors of eigenvalues
// stay far below the floor.
constexpr double kLeastNoiseOverVariance = 1e-11;

}  // namespace

std::vector<double> project_with_floor(const std::vector<double>& values, double floor, double sum) {
  const auto d = static_cast<double>(values.size());
  const double left = sum - d * floor;
  if (left <= 0) return std::vector<double>(values.size(), floor);
  // The sum of max(values - floor - t, 0) is `left` for exactly one t. The sorted values show
  // which coordinates stay above the floor.
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double total = 0;
  double shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    total += sorted[i] - floor;
    const double candidate = (total - left) / static_cast<double>(i + 1);
    if (sorted[i] - floor > candidate) shift = candidate;
  }
  std::vector<double> projected(values.size());
  std::transform(values.begin(), values.end(), projected.begin(), [&](double v) { return floor + std::max(0.0, v - floor - shift); });
  return projected;
}

Covariance nearest_covariance(const Matrix& matrix, double floor) {
  const auto d = static_cast<Eigen::Index>(matrix.rows);
  const auto given = matrix_view(matrix);
  const RowMatrix symmetric = (given + given.transpose()) / 2;
  const Eigen::SelfAdjointEigenSolver<RowMatrix> solver(symmetric);
  std::vector<double> eigenvalues(solver.eigenvalues().data(), solver.eigenvalues().data() + d);
  const auto raised = std::count_if(eigenvalues.begin(), eigenvalues.end(), [&](double value) { return value < floor; });
  Covariance out{Matrix::zeros(matrix.rows, matrix.rows), static_cast<int>(raised)};
  Eigen::Map<RowMatrix> result(out.matrix.values.data(), d, d);
  if (raised == 0) {
    result = symmetric;
    return out;
  }
  eigenvalues = project_with_floor(eigenvalues, floor, std::accumulate(eigenvalues.begin(), eigenvalues.end(), 0.0));
  const RowMatrix product = solver.eigenvectors() * vector_view(eigenvalues).asDiagonal() * solver.eigenvectors().transpose();
  result = (product + product.transpose()) / 2;
  return out;
}

Result<Covariance> covariance_of(const MomentRelease& release, std::size_t group) {
  const GroupMoments& part = release.parts[group];
  if (part.products.empty()) {
    return Error::of(Code::Unsupported, "the release holds no second moments, so no covariance follows from it",
                     "release a covariance or second-moment instead");
  }
  const std::size_t d = release.dimension();
  const double people = std::max(1.0, part.people.value);
  Matrix matrix = release.second_moment(group);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < d; ++k) matrix.at(j, k) -= part.sums[j].value / people * (part.sums[k].value / people);
  }
  std::vector<double> unit(d);  // units in which the noise of the column's variance is 1
  for (std::size_t j = 0; j < d; ++j) {
    const double noise = release.product_noise_sd(part.products[release.product(j, j)].scale) / people;
    unit[j] = std::sqrt(std::max(noise, kLeastNoiseOverVariance * matrix.at(j, j)));
  }
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < d; ++k) matrix.at(j, k) /= unit[j] * unit[k];
  }
  Covariance covariance = nearest_covariance(matrix, kFloorOverNoise);
  // Back to the columns' own units. A variance that moved by more than its noise, or above the
  // maximum of its bounds, is scaled back together with its covariances, so that correlations stay.
  for (std::size_t j = 0; j < d; ++j) {
    const double nearest = covariance.matrix.at(j, j);
    const double seen = matrix.at(j, j);
    const double variance = std::max(kFloorOverNoise, std::clamp(nearest, seen - 1, seen + 1));
    const double most = (release.columns[j].upper - release.columns[j].lower) / 2;
    unit[j] = std::min(unit[j] * std::sqrt(variance / nearest), most / std::sqrt(nearest));
  }
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < d; ++k) covariance.matrix.at(j, k) *= unit[j] * unit[k];
  }
  return covariance;
}

}  // namespace tacet::mechanisms
