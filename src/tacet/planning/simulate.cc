#include "tacet/planning/simulate.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"

namespace tacet::planning {
namespace {

using inference::block_sum;
using kernel::NoiseFamily;
using mechanisms::NoiseLaw;
using mechanisms::NoiseStructure;

/// Standard normal and Laplace draws for simulation: repeatable on every machine, and no secret.
class InsecureNoise {
 public:
  explicit InsecureNoise(std::uint64_t seed) : bits_(seed) {}

  void fill(std::vector<double>& noise, const NoiseLaw& law) {
    if (law.family == NoiseFamily::Laplace) {
      for (double& value : noise) value = law.scale * laplace();
      return;
    }
    for (std::size_t i = 0; i < noise.size(); i += 2) {
      double first = 0;
      double second = 0;
      normal_pair(first, second);
      noise[i] = law.scale * first;
      if (i + 1 < noise.size()) noise[i + 1] = law.scale * second;
    }
    if (law.structure != NoiseStructure::SumZero) return;
    const double mean = block_sum(noise) / static_cast<double>(noise.size());
    for (double& value : noise) value -= mean;
  }

 private:
  /// Uniform in (-1, 1), never 0.
  double uniform() { return (static_cast<double>(static_cast<std::int64_t>(bits_()) >> 11) + 0.5) * 0x1p-52; }
  /// Marsaglia's polar method (1964).
  void normal_pair(double& first, double& second) {
    double square = 0;
    do {
      first = uniform();
      second = uniform();
      square = first * first + second * second;
    } while (square >= 1);
    const double stretch = std::sqrt(-2 * std::log(square) / square);
    first *= stretch;
    second *= stretch;
  }
  double laplace() {
    const double u = uniform();
    return std::copysign(std::log(std::abs(u)), u);
  }
  std::mt19937_64 bits_;
};

/// Means and second moments of pairs, by Welford's updates.
class Pairs {
 public:
  void add(double x, double y) {
    ++count_;
    const double from_x = x - mean_x_;
    mean_x_ += from_x / count_;
    mean_y_ += (y - mean_y_) / count_;
    squares_x_ += from_x * (x - mean_x_);
    products_ += from_x * (y - mean_y_);
  }
  double slope() const { return squares_x_ > 0 ? products_ / squares_x_ : 0; }
  double mean_x() const { return mean_x_; }
  double standard_error_x() const { return std::sqrt(squares_x_ / (count_ - 1) / count_); }

 private:
  double count_ = 0, mean_x_ = 0, mean_y_ = 0, squares_x_ = 0, products_ = 0;
};

double squared_distance(std::span<const double> a, std::span<const double> b) {
  return block_sum(a.size(), [a, b](std::size_t i) { return (a[i] - b[i]) * (a[i] - b[i]); });
}

}  // namespace

Result<SimulatedCost> simulate_cost(std::span<const double> truth, const NoiseLaw& law, const inference::DenoiseOptions& options,
                                    Simulation simulation, std::optional<double> unprojected_cost) {
  if (simulation.trials < kFewestTrials || simulation.trials > kMostTrials) {
    return Error::invalid("trials", fmt::format("{}", simulation.trials),
                          fmt::format("must be a whole number from {} to {}", kFewestTrials, kMostTrials), "for example: --trials 2000");
  }
  const double total = block_sum(truth);
  const double expected = unprojected_cost ? *unprojected_cost : inference::noise_cost(law, truth.size());
  const std::size_t pilots = simulation.trials / 10;
  InsecureNoise noise(simulation.seed);
  std::vector<double> table(truth.size());
  Pairs pilot;
  Pairs rest;
  for (std::size_t trial = 0; trial < simulation.trials; ++trial) {
    noise.fill(table, law);
    const double squared_noise = block_sum(table.size(), [&table](std::size_t i) { return table[i] * table[i]; });
    for (std::size_t i = 0; i < table.size(); ++i) table[i] += truth[i];
    TACET_TRY(const inference::Shrunk shrunk, inference::shrink(table, law, total, options.shrink));
    TACET_TRY(const std::vector<double> landed, inference::project(shrunk.values, options.project, {total, options.bounds}));
    const double loss = squared_distance(landed, truth);
    const double control = (unprojected_cost ? squared_distance(shrunk.values, truth) : squared_noise) - expected;
    if (trial < pilots) {
      pilot.add(control, loss);
    } else {
      rest.add(loss - std::clamp(pilot.slope(), 0.0, 1.0) * control, 0);
    }
  }
  return SimulatedCost{rest.mean_x(), rest.standard_error_x()};
}

}  // namespace tacet::planning
