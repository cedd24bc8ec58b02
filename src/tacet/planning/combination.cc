#include "tacet/planning/combination.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include <boost/math/tools/minima.hpp>

#include "tacet/inference/means/clipped_normal.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/numeric/normal.h"

namespace tacet::planning {
namespace {

constexpr double kMostDistance = 190;  // clipped_normal.h: a mean within a hundred deviations

/// The difference of the clipped means over the standard deviation of the noisy mean.
double separation(const Combination& rows, double radius) {
  const inference::ClippedNormal clipped{.dimension = 1, .variance = 1, .radius = radius};
  const double half = std::min(rows.distance, kMostDistance) / 2;
  const double noise = 2 * radius / (rows.mu * rows.n);
  return 2 * half * clipped.kept(half) / std::sqrt(clipped.variances(half).along / rows.n + noise * noise);
}

}  // namespace

double rare_radius(double n) { return numeric::normal_upper_quantile(0.5 / n); }

double best_radius(const Combination& rows) {
  // On a logarithmic scale; beyond 40 deviations nothing is clipped, below 10^-4 only signs count.
  const double low = std::log(1e-4);
  const double high = std::log(40 + std::min(rows.distance, kMostDistance));
  const auto lost = [&](double log_radius) { return -separation(rows, std::exp(log_radius)); };
  constexpr int kBits = 20;
  return std::exp(boost::math::tools::brent_find_minima(lost, low, high, kBits).first);
}

double combination_power(const Combination& rows, double radius, double alpha) {
  return numeric::normal_lower(separation(rows, radius) - numeric::normal_upper_quantile(alpha));
}

BestDirection best_direction(const mechanisms::Matrix& covariance, const std::vector<double>& eta) {
  const auto sigma = mechanisms::matrix_view(covariance);
  // Correlations, so that the units of the columns do not matter.
  const Eigen::VectorXd units = sigma.diagonal().cwiseSqrt().cwiseInverse();
  const mechanisms::RowMatrix correlation = units.asDiagonal() * sigma * units.asDiagonal();
  const Eigen::VectorXd in_units = units.cwiseProduct(mechanisms::vector_view(eta));
  const Eigen::VectorXd solved = correlation.llt().solve(in_units);
  const double distance = std::sqrt(in_units.dot(solved));
  const Eigen::VectorXd weights = units.cwiseProduct(solved) / distance;
  return {{weights.begin(), weights.end()}, distance};
}

}  // namespace tacet::planning
