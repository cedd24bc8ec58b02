#include "tacet/inference/means/clip_bias.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/math/special_functions/gamma.hpp>

#include "tacet/inference/listed_matrix.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// |z| for z normal with these variances: its upper tail, and its mean excess over a length.
class Length {
 public:
  static Result<Length> of(const std::vector<double>& weights) {
    TACET_TRY(numeric::WeightedChi2 distribution, numeric::WeightedChi2::of_weights(weights));
    const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
    Length length(std::move(distribution));
    if (*most > *least * (1 + 1e-9)) return length;
    length.df_ = static_cast<double>(weights.size());
    length.weight_ = *most;
    return length;
  }

  /// E(|z| - from)+, from >= 0.
  double excess(double from) const {
    if (df_ == 0) return integral(from);
    // Equal weights: r times the density of a chi variable is E|z| times that with one more degree
    // of freedom.
    const double mean = std::sqrt(2 * weight_) * std::exp(std::lgamma((df_ + 1) / 2) - std::lgamma(df_ / 2));
    if (from == 0) return mean;
    return std::max(0.0, mean * boost::math::gamma_q((df_ + 1) / 2, from * from / (2 * weight_)) - from * distribution_.upper(from * from));
  }

 private:
  explicit Length(numeric::WeightedChi2 distribution) : distribution_(std::move(distribution)) {}

  /// The integral of P[|z| > r] over r > from, on r = from + scale sinh(t): fine near the edge,
  /// where tails decrease fast.
  double integral(double from) const {
    const double scale = std::sqrt(distribution_.mean());
    // Beyond forty deviations tails are below 1e-300: no weight exceeds the mean.
    const double most = std::asinh(40.0);
    const auto value = [&](double t) {
      const double r = from + scale * std::sinh(t);
      return (r > 0 ? distribution_.upper(r * r) : 1.0) * scale * std::cosh(t);
    };
    const auto simpson = [&](int count) {
      const double h = most / count;
      double sum = value(0) + value(most);
      for (int i = 1; i < count; ++i) sum += (i % 2 == 1 ? 4 : 2) * value(h * i);
      return sum * h / 3;
    };
    constexpr int kMostSteps = 1024;
    double last = simpson(32);
    for (int steps = 64; steps <= kMostSteps; steps *= 2) {
      const double next = simpson(steps);
      const bool settled = std::abs(next - last) <= 1e-4 * next;
      last = next;
      if (settled) break;
    }
    return last;
  }

  numeric::WeightedChi2 distribution_;
  double df_ = 0, weight_ = 1;  // if all weights are equal; otherwise df_ is 0
};

double bound(const Length& length, double radius, double distance) {
  const double from = radius - distance;
  // If the mean itself is outside the ball, E(|z| + t - R) is E|z| plus the distance to the ball.
  return from >= 0 ? length.excess(from) : length.excess(0) - from;
}

}  // namespace

Result<double> clip_bias(const ClippedRows& rows) {
  TACET_TRY(const Length length, Length::of(rows.weights));
  return bound(length, rows.radius, rows.distance);
}

Result<std::optional<double>> clip_bias_from_clipped(const ClippedRows& rows) {
  TACET_TRY(const Length length, Length::of(rows.weights));
  constexpr int kMostSteps = 200;
  double most = rows.distance;
  for (int step = 0; step < kMostSteps; ++step) {
    const double by = bound(length, rows.radius, most);
    const double next = rows.distance + by;
    if (!(next < rows.radius)) return std::optional<double>();
    if (next - most <= 1e-6 * std::max(by, 1e-300)) return std::optional<double>(by);
    most = next;
  }
  return std::optional<double>();
}

ClipReach clip_reach(const RowClipping& clipping, const std::vector<double>& covariance) {
  const Matrix inverse = square_view(clipping.map, clipping.centre.size()).inverse();
  const Matrix whitened = Eigen::LLT<Matrix>(square_view(covariance, clipping.centre.size())).matrixL().solve(inverse);
  ClipReach reach{{}, whitened.jacobiSvd().singularValues().maxCoeff()};
  for (Index j = 0; j < inverse.rows(); ++j) reach.of_mean.push_back(inverse.row(j).norm());
  return reach;
}

ClippedRows clipped_rows(const RowClipping& clipping, const std::vector<double>& row_covariance, const std::vector<double>& at) {
  const Matrix map = square_view(clipping.map, clipping.centre.size());
  const VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(
                                   map * square_view(row_covariance, clipping.centre.size()) * map.transpose(), Eigen::EigenvaluesOnly)
                                   .eigenvalues();
  // Eigenvalues that rounding left at 0 do not matter beside the largest.
  const VectorXd weights = eigenvalues.cwiseMax(1e-14 * eigenvalues.maxCoeff());
  return {
      {weights.data(), weights.data() + weights.size()}, clipping.radius, (map * (vector_view(at) - vector_view(clipping.centre))).norm()};
}

double mapped_reach(const RowClipping& clipping, const std::vector<double>& covariance, double q) {
  const Matrix root = Eigen::LLT<Matrix>(square_view(covariance, clipping.centre.size())).matrixL();
  return std::sqrt(q) * Matrix(square_view(clipping.map, clipping.centre.size()) * root).jacobiSvd().singularValues().maxCoeff();
}

}  // namespace tacet::inference
