#include "tacet/inference/histograms/histogram_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tacet::inference {
namespace {

/// Weights that differ by less than this part count as one.
constexpr double kSameWeight = 1e-9;

}  // namespace

template <class Visit>
void HistogramTree::each_child(std::size_t level, std::size_t node, Visit visit) const {
  const std::size_t first = node * branching_;
  const std::size_t last = std::min(first + branching_, sizes_[level - 1]);
  for (std::size_t i = first; i < last; ++i) visit(from_[level - 1] + i);
}

HistogramTree::HistogramTree(const NoisyHistogram& histogram)
    : family_(histogram.family),
      scale_(histogram.scale),
      copies_(histogram.copies),
      branching_(histogram.branching),
      has_missing_(histogram.missing.has_value()),
      keeps_total_(histogram.n.has_value()) {
  std::vector<double> values;
  for (const std::vector<double>& level : histogram.levels) {
    sizes_.push_back(level.size());
    from_.push_back(values.size());
    values.insert(values.end(), level.begin(), level.end());
  }
  variance_.assign(values.size(), 1);
  parts_.assign(values.size(), 0);
  for (std::size_t level = 1; level < sizes_.size(); ++level) measure_level(level);
  top_variance_ = std::accumulate(variance_.begin() + static_cast<std::ptrdiff_t>(from_.back()), variance_.end(), 0.0);
  kept_ = keeps_total_ ? top_variance_ / (top_variance_ + (has_missing_ ? 1 : 0)) : 0;
  values.push_back(histogram.missing.value_or(0));
  below_.resize(bins() + 1);
  estimate(values, histogram.n.value_or(0), below_);
  all_weights_ = weights(bins());
  for (std::size_t j = 0; j <= bins(); ++j) {
    const std::vector<double> own = weights(j);
    squares_.push_back(std::inner_product(own.begin(), own.end(), own.begin(), 0.0));
    products_.push_back(std::inner_product(own.begin(), own.end(), all_weights_.begin(), 0.0));
    double largest = 0;
    for (const double weight : own) largest = std::max(largest, std::abs(weight));
    largest_.push_back(largest);
  }
}

void HistogramTree::measure_level(std::size_t level) {
  for (std::size_t node = 0; node < sizes_[level]; ++node) {
    double parts = 0;
    each_child(level, node, [&](std::size_t child) { parts += variance_[child]; });
    parts_[from_[level] + node] = parts;
    variance_[from_[level] + node] = parts / (1 + parts);
  }
}

void HistogramTree::estimate(std::vector<double>& values, double n, std::span<double> below) const {
  // Up: each value and the sum of its parts, in proportion to their precision.
  for (std::size_t level = 1; level < sizes_.size(); ++level) {
    for (std::size_t node = 0; node < sizes_[level]; ++node) {
      double sum = 0;
      each_child(level, node, [&](std::size_t child) { sum += values[child]; });
      const std::size_t at = from_[level] + node;
      values[at] = (parts_[at] * values[at] + sum) / (1 + parts_[at]);
    }
  }
  const std::size_t top = from_.back();
  const std::size_t missing = values.size() - 1;
  double sum = 0;
  for (std::size_t i = top; i < missing; ++i) sum += values[i];
  const double excess = keeps_total_ ? (n - sum - values[missing]) * kept_ / top_variance_ : 0;
  for (std::size_t i = top; i < missing; ++i) values[i] += excess * variance_[i];
  // Down: what a value has gained is shared among its parts, in proportion to their variances.
  for (std::size_t level = sizes_.size(); level-- > 1;) {
    for (std::size_t node = 0; node < sizes_[level]; ++node) {
      const std::size_t at = from_[level] + node;
      double left = values[at];
      each_child(level, node, [&](std::size_t child) { left -= values[child]; });
      each_child(level, node, [&](std::size_t child) { values[child] += left * variance_[child] / parts_[at]; });
    }
  }
  below[0] = 0;
  for (std::size_t i = 0; i < bins(); ++i) below[i + 1] = below[i] + values[i];
}

std::vector<double> HistogramTree::weights(std::size_t j) const {
  // The passes of estimate(), transposed and in the opposite order.
  std::vector<double> weight(variance_.size() + 1);
  for (std::size_t i = 0; i < j; ++i) weight[i] = 1;
  for (std::size_t level = 1; level < sizes_.size(); ++level) {
    for (std::size_t node = 0; node < sizes_[level]; ++node) {
      const std::size_t at = from_[level] + node;
      double mean = 0;
      each_child(level, node, [&](std::size_t child) { mean += weight[child] * variance_[child] / parts_[at]; });
      each_child(level, node, [&](std::size_t child) { weight[child] -= mean; });
      weight[at] = mean;
    }
  }
  double mean = 0;
  for (std::size_t i = from_.back(); i < variance_.size(); ++i) mean += weight[i] * variance_[i] / top_variance_;
  for (std::size_t i = from_.back(); i < variance_.size(); ++i) weight[i] -= mean * kept_;
  if (has_missing_) weight.back() = -mean * kept_;
  for (std::size_t level = sizes_.size(); level-- > 1;) {
    for (std::size_t node = 0; node < sizes_[level]; ++node) {
      const std::size_t at = from_[level] + node;
      const double to_parts = weight[at] / (1 + parts_[at]);
      each_child(level, node, [&](std::size_t child) { weight[child] += to_parts; });
      weight[at] *= parts_[at] / (1 + parts_[at]);
    }
  }
  return weight;
}

double HistogramTree::variance(std::size_t j, double t) const {
  const double unit = scale_ * scale_ * static_cast<double>(copies_) * (is_gaussian() ? 1 : 2);
  return unit * std::max(0.0, squares_[j] - 2 * t * products_[j] + t * t * squares_.back());
}

double HistogramTree::largest_scale(std::size_t j, double t) const {
  return is_gaussian() ? 0 : scale_ * (largest_[j] + std::abs(t) * largest_.back());
}

numeric::NoiseSum HistogramTree::noise(std::size_t j, double t, double normal_variance) const {
  if (is_gaussian()) return numeric::NoiseSum(variance(j, t) + normal_variance);
  std::vector<double> own = weights(j);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = scale_ * std::abs(own[i] - t * all_weights_[i]);
  std::sort(own.begin(), own.end());
  std::vector<numeric::NoiseSum::Term> terms;
  const double negligible = own.back() * kSameWeight;
  for (const double weight : own) {
    if (weight <= negligible) continue;
    if (terms.empty() || weight > terms.back().weight * (1 + kSameWeight)) terms.push_back({weight, 0});
    terms.back().times += static_cast<double>(copies_);
  }
  return numeric::NoiseSum(normal_variance, terms);
}

void HistogramTree::draw(numeric::InsecureStream& stream, std::vector<double>& room, std::span<double> below) const {
  room.resize(variance_.size() + 1);
  if (is_gaussian()) {
    stream.fill_normal(room);
    for (double& value : room) value *= scale_ * std::sqrt(static_cast<double>(copies_));
  } else {
    std::vector<double> one(room.size());
    std::fill(room.begin(), room.end(), 0.0);
    for (std::size_t copy = 0; copy < copies_; ++copy) {
      stream.fill_laplace(one);
      for (std::size_t i = 0; i < room.size(); ++i) room[i] += scale_ * one[i];
    }
  }
  if (!has_missing_) room.back() = 0;
  estimate(room, 0, below);
}

}  // namespace tacet::inference
