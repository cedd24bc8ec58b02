#include "tacet/inference/means/possible_means.h"

#include <algorithm>
#include <cmath>

#include "tacet/inference/means/row_variance.h"
#include "tacet/numeric/normal.h"

namespace tacet::inference {

using mechanisms::MomentMechanism;
using mechanisms::MomentRelease;
using numeric::InsecureStream;

double mean_of_positive_part(double mean, double sd) {
  if (!(sd > 0)) return std::max(0.0, mean);
  const double z = mean / sd;
  constexpr double kRootOfTwoPi = 2.5066282746310002;
  return mean * numeric::normal_upper(-z) + sd * std::exp(-z * z / 2) / kRootOfTwoPi;
}

std::optional<std::string> why_no_population(const MomentRelease& release) {
  if (release.parts.front().products.empty()) return "the release holds no second moments, so the sampling error of its means is unknown";
  if (release.mechanism == MomentMechanism::Eigen)
    return "the release has a covariance with the noise of ed, whose error in the directions of the eigenvectors is not known";
  return std::nullopt;
}

PossibleMeans::PossibleMeans(const MomentRelease& release, std::size_t group)
    : mechanism_(release.mechanism),
      shared_(release.draw_size()),
      people_(release.parts[group].people),
      freedom_(std::max(1.0, std::round(people_.value) - 1)) {
  const mechanisms::GroupMoments& part = release.parts[group];
  people_.value = std::max(1.0, people_.value);
  const double n = people_.value;
  const double count_variance = std::pow(release.sum_noise_sd(people_.scale), 2);
  const bool population = !why_no_population(release);
  for (std::size_t j = 0; j < release.dimension(); ++j) {
    const double range = release.columns[j].upper - release.columns[j].lower;
    const double offset = part.sums[j].value / n;  // of the mean from the centre
    const double sum_variance = std::pow(release.sum_noise_sd(part.sums[j].scale), 2);
    Column column{};
    column.sum = part.sums[j];
    column.estimate = release.columns[j].centre + offset;
    column.noise = (sum_variance + offset * offset * count_variance) / (n * n);
    column.most = range * range / 4;
    if (population) {
      column.square = part.products[release.product(j, j)];
      const double second = column.square.value / n;
      // The square of a noisy mean is too large by the variance of its noise.
      const double row = second - offset * offset + column.noise;
      const RowNoise noises{std::pow(release.product_noise_sd(column.square.scale), 2), sum_variance, count_variance};
      const double noise = noises.variance(n, offset, second);
      column.below = std::max(0.0, -row);
      const double unbiased = freedom_ > 1 ? (freedom_ + 1) / freedom_ : 1;
      column.row = std::min(unbiased * mean_of_positive_part(std::max(0.0, row), std::sqrt(noise)), column.most);
      column.row_error = 2 * column.row * column.row / freedom_ + noise;
    }
    columns_.push_back(column);
  }
  unit_.resize((people_.scale > 0 ? 1 : 0) + columns_.size() * (population ? 2 : 1));
}

void PossibleMeans::draw(InsecureStream& stream, std::span<double> file, std::span<double> population) {
  const std::size_t counted = people_.scale > 0 ? 1 : 0;
  const std::size_t d = columns_.size();
  draw_square_noise(mechanism_, shared_, counted + d, stream, unit_);
  const double n = counted > 0 ? std::max(1.0, people_.value - people_.scale * unit_[0]) : people_.value;
  for (std::size_t j = 0; j < d; ++j) {
    const Column& column = columns_[j];
    const double mean = (column.sum.value - column.sum.scale * unit_[counted + j]) / n;
    file[j] = mean - column.sum.value / people_.value;
    if (population.empty()) continue;
    const double second = (column.square.value - column.square.scale * unit_[counted + d + j]) / n;
    population[j] = file[j] + draw_sampling_error(stream, {second - mean * mean, column.below, column.most}, n, freedom_);
  }
}

}  // namespace tacet::inference
