#include "tacet/inference/means/mean_summary.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tacet/inference/listed_matrix.h"
#include "tacet/mechanisms/covariance.h"

namespace tacet::inference {
namespace {

using mechanisms::GroupMoments;
using mechanisms::MomentRelease;

constexpr double kLeastVariance = 1e-3;
// If noise makes the trace negative, the level without this is 10 % (10 columns, 100 people,
// epsilon 5); a larger value costs power.
constexpr double kLeastOfTraceNoise = 0.5;
// If the mean has little noise, a trace that noise made too small makes the test reject too often.
// Without this the level for spiked rows is 7 % (10 columns, 1000 people, epsilon 5).
constexpr double kMoreOfTraceNoise = 0.35;

}  // namespace

double MeanNoise::variance(std::size_t column) const { return unit_variance(family, draw_size) * scale[column] * scale[column]; }

void MeanNoise::add(numeric::InsecureStream& stream, std::vector<double>& values) const {
  std::vector<double> draws(values.size());
  draw_unit_noise(family, draw_size, stream, draws);
  for (std::size_t j = 0; j < values.size(); ++j) values[j] += scale[j] * draws[j];
}

std::vector<double> noisy_covariance(const std::vector<double>& second_moments, const std::vector<double>& mean, double mean_noise) {
  const auto d = static_cast<Eigen::Index>(mean.size());
  const Eigen::VectorXd inside = vector_view(mean).cwiseMax(-1).cwiseMin(1);
  const double square = inside.squaredNorm();
  const double part = square > mean_noise ? 1 - mean_noise / square : 0;
  std::vector<double> noisy(second_moments);
  Eigen::Map<Matrix>(noisy.data(), d, d) -= part * inside * inside.transpose();
  return noisy;
}

HiddenCovariance covariance_for_tests(const std::vector<double>& noisy, double product_noise, double square_noise, double mean_noise) {
  const auto d = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(noisy.size()))));
  const auto count = static_cast<double>(d);
  const auto seen = square_view(noisy, static_cast<std::size_t>(d));
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(seen);
  const double trace_noise = square_noise / std::sqrt(count);
  const double typical = std::clamp(seen.trace() / count, std::clamp(kLeastOfTraceNoise * trace_noise, kLeastVariance, 1.0), 1.0);
  const double noise = 2 * std::sqrt(count) * product_noise;
  const double widest_direction = std::clamp(noise, typical, count * typical);
  const double sampled = widest_direction / (widest_direction + mean_noise);
  const double trace = count * std::min(1.0, typical + kMoreOfTraceNoise * sampled * sampled * trace_noise);
  const double floor = std::min(typical, noise);
  const double drawn_floor = floor * std::min(1.0, typical / noise);
  std::vector<double> values(solver.eigenvalues().begin(), solver.eigenvalues().end());
  values = mechanisms::project_with_floor(values, 0, trace);
  std::vector<double> weights = values;
  HiddenCovariance hidden{std::vector<double>(noisy.size()), std::vector<double>(noisy.size()), 0, 0};
  double left = trace;
  double seen_count = 0;
  for (const double value : values) {
    if (value <= noise) continue;
    left -= value;
    ++seen_count;
    hidden.wobble += std::pow(product_noise / value, 2);
  }
  hidden.wobble *= seen_count / (count * count);
  for (std::size_t i = values.size(); i-- > 0;) {  // the largest first
    if (values[i] > noise) continue;
    hidden.raised += values[i] < floor ? 1 : 0;
    const double widest = std::clamp(left, 0.0, noise);
    left -= widest;
    values[i] = std::max(widest, drawn_floor);
    weights[i] = floor;
  }
  const auto turned = [&](const std::vector<double>& eigenvalues, std::vector<double>& matrix) {
    Eigen::Map<Matrix>(matrix.data(), d, d) =
        solver.eigenvectors() * vector_view(eigenvalues).asDiagonal() * solver.eigenvectors().transpose();
  };
  turned(values, hidden.matrix);
  turned(weights, hidden.weighting);
  return hidden;
}

Result<MeanSummary> summarise_mean(const MomentRelease& release, std::size_t group) {
  const GroupMoments& part = release.parts[group];
  if (part.products.empty()) {
    return Error::of(Code::Unsupported, fmt::format("a release of kind {} does not say how the rows vary", name(release.kind)),
                     "test with a release covariance, which publishes means and second moments");
  }
  const double people = part.people.value;
  if (!(people >= 1)) {
    return Error::of(Code::Unsupported,
                     fmt::format("{} has fewer than one person{}, so it has no mean",
                                 release.groups ? "group " + release.groups->labels[group] : "the release",
                                 part.people.scale > 0 ? " by its noisy count" : ""),
                     "leave it out, use larger groups, or spend more");
  }
  const std::size_t d = release.dimension();
  MeanSummary summary{};
  summary.people = people;
  summary.drawn_directions = release.mechanism == mechanisms::MomentMechanism::Eigen;
  if (part.people.scale > 0) summary.people_sd = release.sum_noise_sd(part.people.scale);
  summary.noise.draw_size = release.draw_size();
  summary.noise.family = noise_of_sums(release);
  std::vector<double> half(d);
  for (std::size_t j = 0; j < d; ++j) {
    const mechanisms::ReleasedColumn& column = release.columns[j];
    half[j] = (column.upper - column.lower) / 2;
    summary.mean.push_back(part.sums[j].value / people / half[j]);
    summary.noise.scale.push_back(part.sums[j].scale / people / half[j]);
  }
  std::vector<double> moments(d * d);
  double product_variance = 0;
  double square_variance = 0;
  double mean_variance = 0;
  for (std::size_t j = 0; j < d; ++j) {
    mean_variance += summary.noise.variance(j);
    for (std::size_t k = 0; k < d; ++k) {
      const mechanisms::NoisyNumber& product = part.products[release.product(j, k)];
      moments[j * d + k] = product.value / people / (half[j] * half[k]);
      const double sd = release.product_noise_sd(product.scale) / people / (half[j] * half[k]);
      product_variance += sd * sd / static_cast<double>(d * d);
      square_variance += j == k ? sd * sd / static_cast<double>(d) : 0;
    }
  }
  summary.covariance_noise = std::sqrt(product_variance);
  summary.variance_noise = std::sqrt(square_variance);
  summary.covariance = noisy_covariance(moments, summary.mean, mean_variance);
  return summary;
}

}  // namespace tacet::inference
