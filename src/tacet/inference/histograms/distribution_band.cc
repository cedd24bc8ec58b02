#include "tacet/inference/histograms/distribution_band.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace tacet::inference {
namespace {

/// This part of alpha is for the bound on the number of people.
constexpr double kPartForTrials = 1.0 / 50;
/// Noise whose covariance is this near to singular has one dimension.
constexpr double kSingular = 1e-12;

/// One draw of the noise: what decides whether a band would have held.
struct DrawnNoise {
  double largest_ratio;    // of |noise of A - t B| to its standard deviation
  double highest, lowest;  // noise of A - t B
};

/// The covariance of below()[j] and people().
struct EdgeCovariance {
  double below, both, people;
};

/// The largest |a - t b|/sd(A - t B) for t from 0 to 1.
double largest_over_parts(double a, double b, const EdgeCovariance& v) {
  const auto ratio = [&](double t) {
    const double variance = v.below - 2 * t * v.both + t * t * v.people;
    return variance > kSingular * v.below ? (a - t * b) * (a - t * b) / variance : 0.0;
  };
  double largest = std::max(ratio(0), ratio(1));
  const double determinant = v.below * v.people - v.both * v.both;
  if (determinant > kSingular * v.below * v.people) {
    // The direction (1, -t) that is proportional to V^-1 (a, b).
    const double t = -(v.below * b - v.both * a) / (v.people * a - v.both * b);
    if (t > 0 && t < 1) largest = std::max(largest, ratio(t));
  }
  return std::sqrt(largest);
}

class NoiseDraws {
 public:
  explicit NoiseDraws(const HistogramTree& tree) : tree_(tree) {
    for (std::size_t j = 0; j <= tree.bins(); ++j) {
      const double people = tree.variance(tree.bins(), 0);
      const double below = tree.variance(j, 0);
      covariance_.push_back({below, (below + people - tree.variance(j, 1)) / 2, people});
    }
  }

  const EdgeCovariance& covariance(std::size_t j) const { return covariance_[j]; }

  DrawnNoise draw(numeric::InsecureStream& stream, std::vector<double>& room, std::vector<double>& below) const {
    below.resize(tree_.bins() + 1);
    tree_.draw(stream, room, below);
    DrawnNoise drawn{0, 0, 0};
    const double people = below.back();
    for (std::size_t j = 1; j < tree_.bins(); ++j) {
      drawn.largest_ratio = std::max(drawn.largest_ratio, largest_over_parts(below[j], people, covariance_[j]));
      drawn.highest = std::max({drawn.highest, below[j], below[j] - people});
      drawn.lowest = std::min({drawn.lowest, below[j], below[j] - people});
    }
    return drawn;
  }

 private:
  const HistogramTree& tree_;
  std::vector<EdgeCovariance> covariance_;
};

std::vector<DrawnNoise> drawn_noise(const NoiseDraws& draws, const Simulation& simulation) {
  // simulate() keeps one statistic of each draw; the other two are kept here, by its place.
  std::vector<DrawnNoise> all;
  std::mutex mutex;
  simulate(simulation, /*tables=*/8, [&]() -> BlockOfTables {
    return [&, room = std::vector<double>(), below = std::vector<double>()](numeric::InsecureStream& stream,
                                                                            std::span<double> statistics) mutable {
      for (double& statistic : statistics) {
        const DrawnNoise drawn = draws.draw(stream, room, below);
        statistic = drawn.largest_ratio;
        const std::lock_guard lock(mutex);
        all.push_back(drawn);
      }
    };
  });
  // The order of threads must not matter, not even to the rounding of a sum.
  std::sort(all.begin(), all.end(), [](const DrawnNoise& a, const DrawnNoise& b) { return a.largest_ratio < b.largest_ratio; });
  return all;
}

/// The least c at which the mean of `miss`, with one certain miss more, is at most alpha.
template <class Miss>
double least_critical(const std::vector<DrawnNoise>& draws, double alpha, double enough, Miss miss) {
  const auto too_often = [&](double c) {
    double sum = 1;
    for (const DrawnNoise& drawn : draws) sum += miss(drawn, c);
    return sum > alpha * static_cast<double>(draws.size() + 1);
  };
  double low = 0;
  double high = enough;
  while (high - low > 1e-7 * high) {
    const double middle = (low + high) / 2;
    (too_often(middle) ? low : high) = middle;
  }
  return high;
}

/// The ts with |A - t B| <= c sd(A - t B).
Interval fieller(double below, double people, double c, const EdgeCovariance& v) {
  if (!(people >= 1)) return {0, 1};
  const double estimate = below / people;
  const double unit = c * c / people / people;
  const double square = 1 - unit * v.people;
  const double middle = estimate - unit * v.both;
  const double root = middle * middle - square * (estimate * estimate - unit * v.below);
  if (!(square > 0) || !(root >= 0)) return {0, 1};
  return {(middle - std::sqrt(root)) / square, (middle + std::sqrt(root)) / square};
}

/// Bounds from 0 to 1 that increase: a lower bound at an edge holds at all later ones.
void make_increasing(std::vector<Interval>& band) {
  double highest = 0;
  for (Interval& at : band) at.lower = highest = std::max(highest, std::clamp(at.lower, 0.0, 1.0));
  double lowest = 1;
  for (std::size_t j = band.size(); j-- > 0;) band[j].upper = lowest = std::min(lowest, std::clamp(band[j].upper, 0.0, 1.0));
  // Noise may say that no distribution fits; then the band is what both bounds leave open.
  for (Interval& at : band) {
    if (at.lower > at.upper) std::swap(at.lower, at.upper);
  }
}

}  // namespace

Result<DistributionBand> estimate_distribution(const HistogramTree& tree, const BandOptions& options) {
  Simulation simulation = options.simulation;
  const double alpha = options.alpha;
  if (!simulation.draws) simulation.draws = usual_draws(2 * tree.bins(), alpha * (1 - kPartForTrials));
  TACET_CHECK(check_draws(*simulation.draws, alpha * (1 - kPartForTrials)));
  DistributionBand band{estimated_distribution(tree), {}, {}};
  const NoiseDraws noise(tree);
  const std::vector<DrawnNoise> draws = drawn_noise(noise, simulation);
  double most_ratio = 0;
  double most_noise = 0;
  for (const DrawnNoise& drawn : draws) {
    most_ratio = std::max(most_ratio, drawn.largest_ratio);
    most_noise = std::max({most_noise, drawn.highest, -drawn.lowest});
  }
  const double ratio = least_critical(draws, alpha, most_ratio * (1 + 1e-6) + 1e-12,
                                      [](const DrawnNoise& d, double c) { return d.largest_ratio > c ? 1.0 : 0.0; });
  const double people = most_people(tree, alpha * kPartForTrials);
  const auto exceeded = [&](double c) {
    const double bound = c > 0 ? std::exp(-2 * c * c / people) : 1.0;
    return bound > 0.5 ? 1.0 : bound;  // the one-sided inequality holds from there on
  };
  const double enough = most_noise + std::sqrt(people * std::log(8 / alpha)) + 1;
  const double width =
      people > 0
          ? least_critical(draws, alpha * (1 - kPartForTrials), enough,
                           [&](const DrawnNoise& d, double c) { return std::min(1.0, exceeded(c - d.highest) + exceeded(c + d.lowest)); })
          : 0;
  for (std::size_t j = 0; j <= tree.bins(); ++j) {
    const bool end = j == 0 || j == tree.bins();
    const Interval known{j == 0 ? 0.0 : 1.0, j == 0 ? 0.0 : 1.0};
    band.file.push_back(end ? known : fieller(tree.below()[j], tree.people(), ratio, noise.covariance(j)));
    const Interval sampled = tree.people() >= 1
                                 ? Interval{(tree.below()[j] - width) / tree.people(), (tree.below()[j] + width) / tree.people()}
                                 : Interval{0, 1};
    band.population.push_back(end ? known : sampled);
  }
  make_increasing(band.file);
  make_increasing(band.population);
  return band;
}

Interval quantile_from(const std::vector<Interval>& band, const std::vector<double>& edges, double probability) {
  std::size_t lower = 0;
  while (lower + 2 < edges.size() && band[lower + 1].upper < probability) ++lower;
  std::size_t upper = edges.size() - 1;
  while (upper > lower + 1 && band[upper - 1].lower >= probability) --upper;
  return {edges[lower], edges[upper]};
}

}  // namespace tacet::inference
