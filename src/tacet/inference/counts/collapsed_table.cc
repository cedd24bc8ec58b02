#include "tacet/inference/counts/collapsed_table.h"

#include <algorithm>
#include <cmath>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/estimates/project.h"
#include "tacet/inference/noise_of_cells.h"
#include "tacet/numeric/insecure_counts.h"

namespace tacet::inference {
namespace {

/// The excess kurtosis of a sum of more Laplace variables is below 0.1.
constexpr double kMostDrawnLaplace = 32;
constexpr double kLeastDrawable = 1e-9;

/// The sum of draws of `fill`, each of this variance.
template <class Fill>
double sum_of_draws(numeric::InsecureStream& stream, double cells, double variance, const Fill& fill) {
  if (cells > kMostDrawnLaplace) {
    double normal = 0;
    stream.fill_normal({&normal, 1});
    return normal * std::sqrt(variance * cells);
  }
  std::vector<double> each(static_cast<std::size_t>(cells));
  fill(each);
  return block_sum(each);
}

double sum_of_laplace(numeric::InsecureStream& stream, double cells) {
  return sum_of_draws(stream, cells, 2, [&](std::vector<double>& each) { stream.fill_laplace(each); });
}

double sum_of_discrete(numeric::InsecureStream& stream, double cells, const numeric::DiscreteNoise& noise) {
  return sum_of_draws(stream, cells, noise.variance(), [&](std::vector<double>& each) { noise.fill(stream, each); });
}

}  // namespace

CollapsedTable::CollapsedTable(const mechanisms::CountRelease& release, std::span<const std::size_t> class_of_cell, std::size_t classes)
    : values_(classes),
      cells_(classes),
      all_cells_(static_cast<double>(release.values.size())),
      scale_(release.noise.scale),
      rounding_variance_(release.grid ? *release.grid * *release.grid / 12 : 0),
      noise_(release.noise),
      discrete_(discrete_noise(release.noise)),
      cell_variance_(noise_variance(release.noise)),
      n_public_(release.n.has_value()),
      keeps_total_(n_public_ || release.noise.structure == mechanisms::NoiseStructure::SumZero) {
  const double excess = release.n ? (block_sum(release.values) - *release.n) / all_cells_ : 0;
  for (std::size_t i = 0; i < release.values.size(); ++i) {
    if (class_of_cell[i] >= classes) continue;
    values_[class_of_cell[i]] += release.values[i];
    cells_[class_of_cell[i]] += 1;
  }
  for (std::size_t at = 0; at < classes; ++at) values_[at] -= cells_[at] * excess;
}

double CollapsedTable::people() const { return block_sum(values_); }

double CollapsedTable::left_out_cells() const { return all_cells_ - block_sum(cells_); }

double CollapsedTable::mean_weight(std::span<const double> weights) const {
  if (!keeps_total_) return 0;
  double mean = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) mean += weights[i] * cells_[i] / all_cells_;
  return mean;
}

numeric::NoiseSum CollapsedTable::noise(std::span<const double> weights, double sampling_variance) const {
  const double mean = mean_weight(weights);
  double squares = 0;
  double largest = 0;
  std::vector<numeric::NoiseSum::Term> terms;
  const auto add = [&](double weight, double cells) {
    if (!(cells > 0)) return;
    squares += cells * weight * weight;
    largest = std::max(largest, std::abs(weight));
    terms.push_back({scale_ * weight, cells});
  };
  for (std::size_t i = 0; i < cells_.size(); ++i) add(weights[i] - mean, cells_[i]);
  add(mean, left_out_cells());
  const double half_step = discrete_ ? largest / 2 : 0;
  if (is_gaussian()) {
    const double jitter = discrete_ ? 1.0 / 12 : 0;
    return numeric::NoiseSum(sampling_variance + squares * (cell_variance_ + rounding_variance_ + jitter), {}, half_step);
  }
  return numeric::NoiseSum(sampling_variance + squares * rounding_variance_, terms, half_step);
}

double CollapsedTable::noise_covariance(std::span<const double> first, std::span<const double> second) const {
  const double mean = mean_weight(first);
  const double other_mean = mean_weight(second);
  double sum = left_out_cells() * mean * other_mean;
  for (std::size_t i = 0; i < cells_.size(); ++i) sum += cells_[i] * (first[i] - mean) * (second[i] - other_mean);
  return sum * (cell_variance_ + rounding_variance_);
}

ClassNoise CollapsedTable::class_noise() const {
  std::vector<double> first(values_.size());
  std::vector<double> second(values_.size());
  first[0] = second[1] = 1;
  const double shared = -noise_covariance(first, second);
  return {noise_covariance(first, first) + shared, shared};
}

std::vector<double> CollapsedTable::draw(numeric::InsecureStream& stream, double people, const std::vector<double>& probabilities) const {
  std::vector<double> table(values_.size());
  numeric::draw_multinomials(stream, people, probabilities, 1, table);
  std::vector<double> noise(values_.size() + 1);
  const double left_out = left_out_cells();
  stream.fill_normal(noise);
  double total = 0;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const double cells = i < cells_.size() ? cells_[i] : left_out;
    noise[i] = discrete_       ? sum_of_discrete(stream, cells, *discrete_) / scale_
               : is_gaussian() ? noise[i] * std::sqrt(cells)
                               : sum_of_laplace(stream, cells);
    total += noise[i];
  }
  const double part = keeps_total_ ? total / all_cells_ : 0;
  for (std::size_t i = 0; i < table.size(); ++i) table[i] += scale_ * (noise[i] - cells_[i] * part);
  return table;
}

std::vector<double> CollapsedTable::possible(std::span<const double> values) {
  const double total = block_sum(values);
  if (!(total > 0)) return std::vector<double>(values.size());
  return project_onto_simplex({values.begin(), values.end()}, total);
}

std::vector<double> drawable(std::vector<double> probabilities) {
  for (double& p : probabilities) p = std::max(p, kLeastDrawable);
  const double sum = block_sum(probabilities);
  for (double& p : probabilities) p /= sum;
  return probabilities;
}

}  // namespace tacet::inference
