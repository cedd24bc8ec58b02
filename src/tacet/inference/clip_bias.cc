#include "tacet/inference/clip_bias.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix square(const std::vector<double>& values) {
  const auto d = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(values.size()))));
  return Eigen::Map<const Matrix>(values.data(), d, d);
}

/// The integral of P[|z| > r] over r > from >= 0, on r = from + scale sinh(t): fine near the edge, where tails fall fast.
double excess(const numeric::WeightedChi2& law, double from) {
  const double scale = std::sqrt(law.mean());
  // Forty deviations beyond, tails are below 1e-300: no weight exceeds the mean.
  const double most = std::asinh(40.0);
  const auto value = [&](double t) {
    const double r = from + scale * std::sinh(t);
    return (r > 0 ? law.upper(r * r) : 1.0) * scale * std::cosh(t);
  };
  std::size_t steps = 64;
  const auto simpson = [&](std::size_t count) {
    const double h = most / static_cast<double>(count);
    double sum = value(0) + value(most);
    for (std::size_t i = 1; i < count; ++i) sum += (i % 2 == 1 ? 4 : 2) * value(h * static_cast<double>(i));
    return sum * h / 3;
  };
  double last = simpson(steps);
  for (int doubling = 0; doubling < 4; ++doubling) {
    steps *= 2;
    const double next = simpson(steps);
    const bool settled = std::abs(next - last) <= 1e-9 * next;
    last = next;
    if (settled) break;
  }
  return last;
}

double bound(const numeric::WeightedChi2& law, double radius, double distance) {
  const double from = radius - distance;
  // Where the mean itself is outside: E(|z| + t - R) is E|z| and the way back.
  return from >= 0 ? excess(law, from) : excess(law, 0) - from;
}

}  // namespace

Result<double> clip_bias(const ClippedRows& rows) {
  TACET_TRY(const numeric::WeightedChi2 law, numeric::WeightedChi2::of_weights(rows.weights));
  return bound(law, rows.radius, rows.distance);
}

Result<std::optional<double>> clip_bias_from_clipped(const ClippedRows& rows) {
  TACET_TRY(const numeric::WeightedChi2 law, numeric::WeightedChi2::of_weights(rows.weights));
  constexpr int kMostSteps = 200;
  double most = rows.distance;
  for (int step = 0; step < kMostSteps; ++step) {
    const double by = bound(law, rows.radius, most);
    const double next = rows.distance + by;
    if (!(next < rows.radius)) return std::optional<double>();
    if (next - most <= 1e-9 * std::max(by, 1e-300)) return std::optional<double>(by);
    most = next;
  }
  return std::optional<double>();
}

ClipReach clip_reach(const RowClipping& clipping, const std::vector<double>& covariance) {
  const Matrix inverse = square(clipping.map).inverse();
  const Matrix whitened = Eigen::LLT<Matrix>(square(covariance)).matrixL().solve(inverse);
  ClipReach reach{{}, whitened.jacobiSvd().singularValues().maxCoeff()};
  for (Index j = 0; j < inverse.rows(); ++j) reach.of_mean.push_back(inverse.row(j).norm());
  return reach;
}

ClippedRows clipped_rows(const RowClipping& clipping, const std::vector<double>& row_covariance, const std::vector<double>& at) {
  const Matrix map = square(clipping.map);
  const Eigen::Map<const VectorXd> mean(at.data(), map.rows());
  const Eigen::Map<const VectorXd> centre(clipping.centre.data(), map.rows());
  const VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<Matrix>(map * square(row_covariance) * map.transpose(), Eigen::EigenvaluesOnly).eigenvalues();
  // Eigenvalues of a positive definite matrix that rounding left at 0 do not matter beside the largest.
  const VectorXd weights = eigenvalues.cwiseMax(1e-14 * eigenvalues.maxCoeff());
  return {{weights.data(), weights.data() + weights.size()}, clipping.radius, (map * (mean - centre)).norm()};
}

double mapped_reach(const RowClipping& clipping, const std::vector<double>& covariance, double q) {
  const Matrix root = Eigen::LLT<Matrix>(square(covariance)).matrixL();
  return std::sqrt(q) * Matrix(square(clipping.map) * root).jacobiSvd().singularValues().maxCoeff();
}

}  // namespace tacet::inference
