#include "tacet/inference/means/clipped_normal.h"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

#include "tacet/inference/listed_matrix.h"

namespace tacet::inference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kMostNoncentrality = 1e4;

/// E min(1, c/X), X^2 central chi-square with k degrees of freedom, k > 1.
double part_kept(double k, double c) {
  const double at = c * c / 2;
  return boost::math::gamma_p(k / 2, at) +
         c / std::sqrt(2.0) * boost::math::tgamma_delta_ratio((k - 1) / 2, 0.5) * boost::math::gamma_q((k - 1) / 2, at);
}

/// E min(1, c/X)^2, k > 2.
double square_kept(double k, double c) {
  const double at = c * c / 2;
  return boost::math::gamma_p(k / 2, at) + c * c / (k - 2) * boost::math::gamma_q(k / 2 - 1, at);
}

/// The mean of `central` over the degrees of freedom k + 2J, J Poisson with half the
/// noncentrality.
template <class Central>
double noncentral(const Central& central, double k, double noncentrality, double c) {
  const double mean = noncentrality / 2;
  constexpr double kNegligible = 1e-20;
  const auto mode = static_cast<int>(mean);
  const double at_mode = mean > 0 ? std::exp(mode * std::log(mean) - mean - std::lgamma(mode + 1.0)) : 1;
  double sum = 0;
  double weight = at_mode;
  for (int j = mode; weight > kNegligible; ++j) {
    sum += weight * central(k + 2.0 * j, c);
    weight *= mean / (j + 1);
  }
  weight = at_mode;
  for (int j = mode - 1; j >= 0; --j) {
    weight *= (j + 1) / mean;
    if (weight <= kNegligible) break;
    sum += weight * central(k + 2.0 * j, c);
  }
  return std::min(1.0, sum);
}

/// The covariance of a clipped row whose mapped mean is this vector, in the columns' own units.
Matrix covariance_at(const ClippedNormal& rows, const Matrix& map, const VectorXd& mapped) {
  const double length = mapped.norm();
  const auto [along, across] = rows.variances(length);
  Matrix varied = across * Matrix::Identity(map.rows(), map.cols());
  if (length > 0) varied += (along - across) * mapped * mapped.transpose() / mapped.squaredNorm();
  const auto inverse = map.partialPivLu();
  const Matrix half = inverse.solve(varied);
  return inverse.solve(half.transpose());
}

}  // namespace

double ClippedNormal::kept(double length) const {
  return noncentral(part_kept, static_cast<double>(dimension) + 2, length * length / variance, radius / std::sqrt(variance));
}

double ClippedNormal::slope(double length) const {
  const double noncentrality = length * length / variance;
  const double c = radius / std::sqrt(variance);
  const double k = static_cast<double>(dimension) + 2;
  const double here = noncentral(part_kept, k, noncentrality, c);
  return here + noncentrality * (noncentral(part_kept, k + 2, noncentrality, c) - here);
}

ClippedNormal::Variances ClippedNormal::variances(double length) const {
  const double noncentrality = length * length / variance;
  const double c = radius / std::sqrt(variance);
  const double k = static_cast<double>(dimension) + 2;
  const double across = noncentral(square_kept, k, noncentrality, c);
  const double part = kept(length);
  return {variance * (across + noncentrality * (noncentral(square_kept, k + 2, noncentrality, c) - part * part)), variance * across};
}

std::optional<double> ClippedNormal::before(double clipped) const {
  const double most = std::sqrt(kMostNoncentrality * variance);
  double length = clipped;  // clipping never lengthens
  // Newton's method on a concave function, from the left: every step stays on the left.
  constexpr int kMostSteps = 100;
  for (int i = 0; i < kMostSteps && length <= most; ++i) {
    const double steep = slope(length);
    if (steep < kLeastSlope) return std::nullopt;
    const double step = (clipped - length * kept(length)) / steep;
    if (step <= 1e-14 * length) return length;
    length += step;
  }
  return std::nullopt;
}

std::optional<ClippedNormal> spherical_rows(const RowClipping& clipping, const std::vector<double>& row_covariance) {
  const Matrix map = square_view(clipping.map, clipping.centre.size());
  const Matrix mapped = map * square_view(row_covariance, clipping.centre.size()) * map.transpose();
  const double variance = mapped.diagonal().mean();
  const Matrix apart = mapped - variance * Matrix::Identity(mapped.rows(), mapped.cols());
  if (!(apart.cwiseAbs().maxCoeff() <= 1e-9 * variance)) return std::nullopt;
  return ClippedNormal{static_cast<std::size_t>(map.rows()), variance, clipping.radius};
}

std::optional<std::vector<double>> clipped_mean(const ClippedNormal& rows, const RowClipping& clipping, const std::vector<double>& mean) {
  const VectorXd centre = vector_view(clipping.centre);
  const VectorXd offset = vector_view(mean) - centre;
  const double length = (square_view(clipping.map, clipping.centre.size()) * offset).norm();
  if (!(length * length <= kMostNoncentrality * rows.variance)) return std::nullopt;
  const VectorXd clipped = centre + rows.kept(length) * offset;
  return listed(clipped);
}

std::optional<std::vector<double>> clipped_covariance(const ClippedNormal& rows, const RowClipping& clipping,
                                                      const std::vector<double>& mean) {
  const Matrix map = square_view(clipping.map, clipping.centre.size());
  const VectorXd mapped = map * (vector_view(mean) - vector_view(clipping.centre));
  if (!(mapped.squaredNorm() <= kMostNoncentrality * rows.variance)) return std::nullopt;
  return listed(covariance_at(rows, map, mapped));
}

std::optional<Unclipped> unclipped_mean(const ClippedNormal& rows, const RowClipping& clipping, const std::vector<double>& clipped) {
  const Matrix map = square_view(clipping.map, clipping.centre.size());
  const VectorXd offset = vector_view(clipped) - vector_view(clipping.centre);
  const VectorXd mapped = map * offset;
  const auto length = rows.before(mapped.norm());
  if (!length) return std::nullopt;
  const double kept = rows.kept(*length);
  const VectorXd mean = vector_view(clipping.centre) + offset / kept;
  // An error along the mean grows by 1/slope, one across it by 1/kept.
  Matrix growth = Matrix::Identity(map.rows(), map.cols()) / kept;
  if (*length > 0) growth += (1 / rows.slope(*length) - 1 / kept) * mapped * mapped.transpose() / mapped.squaredNorm();
  const Matrix error = map.partialPivLu().solve(growth * map);
  const Matrix row = covariance_at(rows, map, mapped.norm() > 0 ? VectorXd(mapped * (*length / mapped.norm())) : mapped);
  return Unclipped{listed(mean), listed(error), listed(row), *length - mapped.norm()};
}

}  // namespace tacet::inference
