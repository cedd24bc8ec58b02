#include "tacet/planning/simulated_cost.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::planning {
namespace {

using inference::block_sum;
using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

void fill_noise(numeric::InsecureStream& stream, std::vector<double>& noise, const NoiseDistribution& distribution) {
  if (distribution.family == NoiseFamily::Laplace) {
    stream.fill_laplace(noise);
  } else {
    stream.fill_normal(noise);
  }
  const double mean = distribution.structure == NoiseStructure::SumZero ? block_sum(noise) / static_cast<double>(noise.size()) : 0;
  for (double& value : noise) value = distribution.scale * (value - mean);
}

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

Result<SimulatedCost> simulate_cost(std::span<const double> truth, const NoiseDistribution& distribution,
                                    const inference::DenoiseOptions& options, Simulation simulation,
                                    std::optional<double> unprojected_cost) {
  if (simulation.trials < kFewestTrials || simulation.trials > kMostTrials) {
    return Error::invalid("trials", fmt::format("{}", simulation.trials),
                          fmt::format("must be a whole number from {} to {}", kFewestTrials, kMostTrials), "for example: trials = 2000");
  }
  const double total = block_sum(truth);
  const double expected = unprojected_cost ? *unprojected_cost : inference::noise_cost(distribution, truth.size());
  const std::size_t pilots = simulation.trials / 10;
  numeric::InsecureStream stream(simulation.seed, 0);
  std::vector<double> table(truth.size());
  Pairs pilot;
  Pairs rest;
  for (std::size_t trial = 0; trial < simulation.trials; ++trial) {
    fill_noise(stream, table, distribution);
    const double squared_noise = block_sum(table.size(), [&table](std::size_t i) { return table[i] * table[i]; });
    for (std::size_t i = 0; i < table.size(); ++i) table[i] += truth[i];
    TACET_TRY(const inference::Shrunk shrunk, inference::shrink(table, distribution, total, options.shrink, options.target));
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
