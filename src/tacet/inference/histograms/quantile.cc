#include "tacet/inference/histograms/quantile.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <boost/math/special_functions/beta.hpp>

namespace tacet::inference {
namespace {

/// A whole number with noise is rounded where this is wrong with at most this part of the level.
constexpr double kPartForRounding = 1e-3;
/// Beyond it a binomial variable is as good as normal: its skewness is below 1/20,000.
constexpr double kMostBinomialSd = 20'000;
/// Beyond it doubles are not whole numbers of people, so that no rounding makes the number known.
constexpr double kMostKnownPeople = 0x1p53;
/// Binomial probabilities further out, in standard deviations and one person more, are left out.
constexpr double kReach = 8.5;
/// The grid of the binomial variable: parts of the noise's standard deviation, and of its own.
constexpr double kPartsOfNoise = 3, kPartsOfSampling = 8;
/// This part of alpha is for the bound on the number of people.
constexpr double kPartForPeople = 1.0 / 50;
/// p is taken as a fraction with a denominator of at most this, if it is one.
constexpr int kMostDenominator = 1000;

struct Mass {
  double at, probability;
};

/// X - people p for X binomial, on multiples of `step` from its mean: each value is shared between
/// its two neighbours so that the mean stays.
std::vector<Mass> centred_binomial(double people, double p, double step) {
  if (p > 0.5) {
    // The others are fewer: a double counts them, however many people there are.
    std::vector<Mass> masses = centred_binomial(people, 1 - p, step);
    for (Mass& mass : masses) mass.at = -mass.at;
    return masses;
  }
  const double mean = people * p;
  const double reach = kReach * (std::sqrt(mean * (1 - p)) + 1);
  const double from = std::max(0.0, std::floor(mean - reach));
  const double to = std::min(people, std::ceil(mean + reach));
  const double low = std::floor((from - mean) / step);
  std::vector<double> cells(static_cast<std::size_t>(std::floor((to - mean) / step) - low) + 2);
  double total = 0;
  const auto add = [&](double k, double probability) {
    const double at = (k - mean) / step - low;
    const auto cell = static_cast<std::size_t>(at);
    const double part = at - std::floor(at);
    cells[cell] += (1 - part) * probability;
    cells[cell + 1] += part * probability;
    total += probability;
  };
  const double mode = std::clamp(std::floor((people + 1) * p), from, to);
  double probability = 1;
  double k = mode;
  while (k <= to && probability > 0) {
    add(k, probability);
    probability *= (people - k) / (k + 1) * p / (1 - p);
    k += 1;
  }
  probability = 1;
  k = mode;
  while (k > from && probability > 0) {
    probability *= k / (people - k + 1) * (1 - p) / p;
    k -= 1;
    add(k, probability);
  }
  std::vector<Mass> masses;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] > 0) masses.push_back({(low + static_cast<double>(i)) * step, cells[i] / total});
  }
  return masses;
}

/// 1/b for p = a/b with a small b.
std::optional<double> unit_of(double p) {
  for (int denominator = 1; denominator <= kMostDenominator; ++denominator) {
    const double b = denominator;
    if (std::abs(p * b - std::nearbyint(p * b)) < 1e-12 * b) return 1 / b;
  }
  return std::nullopt;
}

/// Decides at an edge on which side of it the quantile is.
class EdgeTest {
 public:
  EdgeTest(const HistogramTree& tree, double p, double alpha, bool sampled)
      : tree_(tree), p_(p), sampled_(sampled), level_(alpha / 2), unit_(unit_of(p)) {
    if (!sampled_) return;
    const double wrong = rounding_error(tree.bins(), 0, 1);
    people_are_known_ = wrong <= kPartForRounding * level_ && tree.people() <= kMostKnownPeople;
    people_ = people_are_known_ ? std::max(0.0, std::nearbyint(tree.people())) : most_people(tree, alpha * kPartForPeople);
    level_ = people_are_known_ ? level_ - wrong : level_ * (1 - kPartForPeople);
  }

  /// Rejects that the part p or more is below edge j.
  bool is_above(std::size_t j) const { return sampled_ ? rejects(j, -excess(j), /*lower_tail=*/true) : rejects_in_file(j, -excess(j)); }
  /// Rejects that less than the part p is below edge j.
  bool is_below(std::size_t j) const {
    return sampled_ ? rejects(j, excess(j), /*lower_tail=*/false) : rejects_in_file(j, excess(j) + unit_.value_or(0));
  }

 private:
  double excess(std::size_t j) const { return tree_.below()[j] - p_ * tree_.people(); }

  /// How often noise is more than half a unit, so that rounding to units would not remove it.
  double rounding_error(std::size_t j, double t, double unit) const {
    if (tree_.variance(j, t) > unit * unit / 16) return 1;
    return 2 * tree_.noise(j, t).upper(unit / 2);
  }

  /// `outward` is at most 0 without noise, if the null hypothesis is true.
  bool rejects_in_file(std::size_t j, double outward) const {
    if (unit_ && rounding_error(j, p_, *unit_) <= kPartForRounding * level_) return outward > *unit_ / 2;
    if (!(outward > 0)) return false;
    if (bound(j, outward, tree_.variance(j, p_), 0, /*lower_tail=*/true) <= level_) return true;
    return tree_.noise(j, p_).upper(outward) <= level_;
  }

  /// Is the probability of a deviation that is as large at most the level?
  bool rejects(std::size_t j, double outward, bool lower_tail) const {
    if (people_are_known_) {
      const double wrong = rounding_error(j, 0, 1);
      if (wrong <= kPartForRounding * level_) return binomial_tail(j, lower_tail) <= level_ - wrong;
    }
    if (!(outward > 0)) return false;
    const double noise = tree_.variance(j, p_);
    const double sampling = people_ * p_ * (1 - p_);
    if (bound(j, outward, noise, sampling, lower_tail) <= level_) return true;
    if (sampling > kMostBinomialSd * kMostBinomialSd) return tree_.noise(j, p_, sampling).upper(outward) <= level_;
    return sum_tail(tree_.noise(j, p_), outward, noise, sampling, lower_tail) <= level_;
  }

  /// Without noise.
  double binomial_tail(std::size_t j, bool lower_tail) const {
    const double k = std::clamp(std::nearbyint(tree_.below()[j]), 0.0, people_);
    if (lower_tail) return k >= people_ ? 1 : boost::math::ibetac(k + 1, people_ - k, p_);  // X <= k
    return k <= 0 ? 1 : boost::math::ibeta(k, people_ - k + 1, p_);                         // X >= k
  }

  /// Chernoff's bound, at the point that is best for normal errors.
  double bound(std::size_t j, double outward, double noise, double sampling, bool lower_tail) const {
    const double scale = tree_.largest_scale(j, p_);
    double s = outward / (noise + sampling);
    if (scale > 0) s = std::min(s, std::sqrt(0.5) / scale);
    const double of_noise = s * s * noise / 2 / (1 - s * s * scale * scale);
    const double sign = lower_tail ? -s : s;
    const double of_sampling = sampling > 0 ? people_ * (std::log1p(p_ * std::expm1(sign)) - sign * p_) : 0;
    return std::exp(of_noise + of_sampling - s * outward);
  }

  /// P[+-(X - people p) + noise >= outward].
  double sum_tail(const numeric::NoiseSum& noise, double outward, double noise_variance, double sampling, bool lower_tail) const {
    const double wanted = std::max({1.0, std::sqrt(noise_variance) / kPartsOfNoise, std::sqrt(sampling) / kPartsOfSampling});
    const double step = std::exp2(std::floor(std::log2(wanted)));
    auto found = grids_.find(step);
    if (found == grids_.end()) found = grids_.emplace(step, centred_binomial(people_, p_, step)).first;
    double sum = 0;
    for (const Mass& mass : found->second) {
      sum += mass.probability * noise.upper(lower_tail ? outward + mass.at : outward - mass.at);
      if (sum > level_) return sum;
    }
    return sum;
  }

  const HistogramTree& tree_;
  double p_;
  bool sampled_, people_are_known_ = false;
  double level_;
  std::optional<double> unit_;  // below() - p people() is a multiple of it
  double people_ = 0;
  mutable std::map<double, std::vector<Mass>> grids_;
};

Interval edges_around(const EdgeTest& test, const std::vector<double>& edges) {
  const std::size_t last = edges.size() - 1;
  std::size_t lower = 0;
  while (lower + 1 < last && test.is_above(lower + 1)) ++lower;
  std::size_t upper = last;
  while (upper > lower + 1 && test.is_below(upper - 1)) --upper;
  return {edges[lower], edges[upper]};
}

}  // namespace

double most_people(const HistogramTree& tree, double alpha) {
  const numeric::NoiseSum noise = tree.noise(tree.bins(), 0);
  if (!(noise.variance() > 0)) return std::max(0.0, std::nearbyint(tree.people()));
  return std::max(1.0, std::floor(tree.people() + noise.two_sided_quantile(std::min(0.5, 2 * alpha))));
}

std::vector<double> estimated_distribution(const HistogramTree& tree) {
  const double people = tree.people();
  if (!(people >= 1) || !(people > 2 * std::sqrt(tree.variance(tree.bins(), 0)))) return {};
  // Pool adjacent violators: blocks of edges with a common value.
  struct Block {
    double sum, edges;
    double mean() const { return sum / edges; }
  };
  std::vector<Block> blocks;
  for (const double below : tree.below()) {
    blocks.push_back({std::clamp(below / people, 0.0, 1.0), 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const Block merged = blocks.back();
      blocks.pop_back();
      blocks.back().sum += merged.sum;
      blocks.back().edges += merged.edges;
    }
  }
  std::vector<double> distribution;
  for (const Block& block : blocks) distribution.insert(distribution.end(), static_cast<std::size_t>(block.edges), block.mean());
  distribution.front() = 0;
  distribution.back() = 1;
  return distribution;
}

double interpolated_quantile(std::span<const double> edges, std::span<const double> distribution, double probability) {
  std::size_t upper = 1;
  while (upper + 1 < edges.size() && distribution[upper] < probability) ++upper;
  const double before = distribution[upper - 1];
  const double within = distribution[upper] > before ? (probability - before) / (distribution[upper] - before) : 1;
  return edges[upper - 1] + std::clamp(within, 0.0, 1.0) * (edges[upper] - edges[upper - 1]);
}

QuantileInterval estimate_quantile(const HistogramTree& tree, const std::vector<double>& edges, double probability, double alpha) {
  QuantileInterval answer{probability, {}, {edges.front(), edges.back()}, {edges.front(), edges.back()}};
  answer.file = edges_around(EdgeTest(tree, probability, alpha, /*sampled=*/false), edges);
  answer.population = edges_around(EdgeTest(tree, probability, alpha, /*sampled=*/true), edges);
  const std::vector<double> distribution = estimated_distribution(tree);
  if (!distribution.empty())
    answer.estimate = std::clamp(interpolated_quantile(edges, distribution, probability), answer.file.lower, answer.file.upper);
  return answer;
}

}  // namespace tacet::inference
