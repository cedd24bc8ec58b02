#include "tacet/inference/means/possible_combination.h"

#include <algorithm>
#include <cmath>

#include "tacet/inference/means/possible_means.h"
#include "tacet/inference/means/row_variance.h"
#include "tacet/inference/means/unit_noise.h"

namespace tacet::inference {

using mechanisms::GroupMoments;
using mechanisms::MomentRelease;
using numeric::InsecureStream;

namespace {

/// The standard deviation of a column, larger than noise made it but with a probability of about
/// one in a thousand.
double largest_deviation(const MomentRelease& release, const GroupMoments& part, std::size_t j, double n, double count_variance) {
  constexpr double kDeviations = 3;
  const mechanisms::NoisyNumber& square = part.products[release.product(j, j)];
  const double offset = part.sums[j].value / n;
  const double second = square.value / n;
  const double sum_variance = std::pow(release.sum_noise_sd(part.sums[j].scale), 2);
  const RowNoise noise{std::pow(release.product_noise_sd(square.scale), 2), sum_variance, count_variance};
  return std::sqrt(std::max(0.0, second - offset * offset) + kDeviations * std::sqrt(noise.variance(n, offset, second)));
}

}  // namespace

PossibleCombination::PossibleCombination(const MomentRelease& release, std::size_t group, const std::vector<double>& weights, double raise)
    : mechanism_(release.mechanism),
      shared_(release.draw_size()),
      people_(release.parts[group].people),
      freedom_(std::max(1.0, std::round(people_.value) - 1)) {
  const GroupMoments& part = release.parts[group];
  people_.value = std::max(1.0, people_.value);
  const double n = people_.value;
  const double count_variance = std::pow(release.sum_noise_sd(people_.scale), 2);
  double sum_variance = 0;
  double range = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) continue;
    const mechanisms::ReleasedColumn& column = release.columns[j];
    sums_.push_back(weights[j] * part.sums[j].scale);
    sum_ += weights[j] * part.sums[j].value;
    sum_variance += std::pow(release.sum_noise_sd(sums_.back()), 2);
    range += std::abs(weights[j]) * (column.upper - column.lower);
    estimate_ += weights[j] * column.centre;
  }
  const double offset = sum_ / n;
  estimate_ += offset;
  noise_ = (sum_variance + offset * offset * count_variance) / (n * n);
  most_ = range * range / 4;
  if (!why_no_population(release)) add_squares(release, part, weights, raise, sum_variance, count_variance);
  unit_.resize((people_.scale > 0 ? 1 : 0) + sums_.size() + products_.size());
}

void PossibleCombination::add_squares(const MomentRelease& release, const GroupMoments& part, const std::vector<double>& weights,
                                      double raise, double sum_variance, double count_variance) {
  const double n = people_.value;
  square_ = raise * n;
  double square_variance = 0;
  double deviations = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) continue;
    for (std::size_t k = j; k < weights.size(); ++k) {
      const double weight = (j == k ? 1 : 2) * weights[j] * weights[k];
      if (weight == 0) continue;
      const mechanisms::NoisyNumber& product = part.products[release.product(j, k)];
      products_.push_back(weight * product.scale);
      square_ += weight * product.value;
      square_variance += std::pow(release.product_noise_sd(products_.back()), 2);
    }
    deviations += std::abs(weights[j]) * largest_deviation(release, part, j, n, count_variance);
  }
  most_ = std::min(most_, deviations * deviations);
  const double second = square_ / n;
  const double offset = sum_ / n;
  // The square of a noisy mean is too large by the variance of its noise.
  const double row = second - offset * offset + noise_;
  const double noise = RowNoise{square_variance, sum_variance, count_variance}.variance(n, offset, second);
  below_ = std::max(0.0, -row);
  const double unbiased = freedom_ > 1 ? (freedom_ + 1) / freedom_ : 1;
  row_ = unbiased * std::min(mean_of_positive_part(std::max(0.0, row), std::sqrt(noise)), most_);
  row_error_ = 2 * row_ * row_ / freedom_ + noise;
}

PossibleError PossibleCombination::draw(InsecureStream& stream) {
  const std::size_t counted = people_.scale > 0 ? 1 : 0;
  draw_square_noise(mechanism_, shared_, counted + sums_.size(), stream, unit_);
  const double n = counted > 0 ? std::max(1.0, people_.value - people_.scale * unit_[0]) : people_.value;
  double sum = sum_;
  for (std::size_t i = 0; i < sums_.size(); ++i) sum -= sums_[i] * unit_[counted + i];
  const double mean = sum / n;
  PossibleError error{mean - sum_ / people_.value, 0};
  if (products_.empty()) return error;
  double square = square_;
  for (std::size_t i = 0; i < products_.size(); ++i) square -= products_[i] * unit_[counted + sums_.size() + i];
  error.sampling = draw_sampling_error(stream, {square / n - mean * mean, below_, most_}, n, freedom_);
  return error;
}

}  // namespace tacet::inference
