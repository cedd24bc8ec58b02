#include "tacet/inference/counts/grouped_cells.h"

#include <algorithm>
#include <cmath>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/gof_statistic.h"

namespace tacet::inference {

using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::NoiseStructure;
using mechanisms::NoiseSupport;

GroupedCells::GroupedCells(const CountRelease& release, std::span<const GroupMask> masks)
    : all_cells_(static_cast<double>(release.values.size())),
      cell_variance_(cell_noise(release.noise).variance),
      laplace_scale_(release.noise.family == NoiseFamily::Laplace ? release.noise.scale : 0),
      rounding_variance_(release.grid ? *release.grid * *release.grid / 12 : 0),
      step_(release.noise.support == NoiseSupport::Integers ? 1 : 0),
      jitter_variance_(step_ > 0 && laplace_scale_ == 0 ? step_ * step_ / 12 : 0),
      keeps_total_(release.n.has_value() || release.noise.structure == NoiseStructure::SumZero) {
  for (std::size_t i = 0; i < release.values.size(); ++i) {
    values_[masks[i]] += release.values[i];
    cells_[masks[i]] += 1;
  }
  if (!release.n) return;
  const double excess = (block_sum(release.values) - *release.n) / all_cells_;
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask) values_[mask] -= cells_[mask] * excess;
}

double GroupedCells::sum(unsigned group) const {
  return sum(weights([&](GroupMask mask) { return (mask >> group & 1) != 0 ? 1.0 : 0.0; }));
}

double GroupedCells::sum(const GroupWeights& weights) const {
  double total = 0;
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask) total += weights[mask] * values_[mask];
  return total;
}

bool GroupedCells::has_cells(unsigned group) const {
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask)
    if ((mask >> group & 1) != 0 && cells_[mask] > 0) return true;
  return false;
}

GroupWeights GroupedCells::effective(const GroupWeights& weights) const {
  if (!keeps_total_) return weights;
  double mean = 0;
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask) mean += weights[mask] * cells_[mask] / all_cells_;
  GroupWeights centred = weights;
  for (double& weight : centred) weight -= mean;
  return centred;
}

numeric::NoiseSum GroupedCells::noise(const GroupWeights& weights, double sampling_variance) const {
  const GroupWeights on_noise = effective(weights);
  const double normal = rounding_variance_ + jitter_variance_ + (laplace_scale_ > 0 ? 0 : cell_variance_);
  double variance = sampling_variance;
  double largest = 0;
  std::vector<numeric::NoiseSum::Term> laplace;
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask) {
    variance += normal * cells_[mask] * on_noise[mask] * on_noise[mask];
    if (cells_[mask] > 0) largest = std::max(largest, std::abs(on_noise[mask]));
    if (laplace_scale_ > 0 && cells_[mask] > 0 && on_noise[mask] != 0) laplace.push_back({laplace_scale_ * on_noise[mask], cells_[mask]});
  }
  return numeric::NoiseSum(variance, laplace, step_ / 2 * largest);
}

double GroupedCells::noise_covariance(const GroupWeights& first, const GroupWeights& second) const {
  const GroupWeights one = effective(first);
  const GroupWeights other = effective(second);
  double covariance = 0;
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask) covariance += cells_[mask] * one[mask] * other[mask];
  return covariance * (cell_variance_ + rounding_variance_);
}

}  // namespace tacet::inference
