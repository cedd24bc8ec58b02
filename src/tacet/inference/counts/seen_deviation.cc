#include "tacet/inference/counts/seen_deviation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/estimates/project.h"

namespace tacet::inference {
namespace {

/// The standard error of a power from so many tables is at most 0.032 and 0.012.
constexpr std::size_t kLeastPowerDraws = 250;
constexpr std::size_t kPowerDraws = 2000;
/// People can be drawn only for cells of positive probability.
constexpr double kLeastSeenProbability = 1e-12;

}  // namespace

std::vector<double> seen_deviation(std::span<const double> values, double n, const std::vector<double>& expected, double statistic,
                                   double chance) {
  const double shrink = statistic > chance ? std::sqrt((statistic - chance) / statistic) : 0;
  const double excess = (block_sum(values) - n) / static_cast<double>(expected.size());
  std::vector<double> deviating(expected);
  for (std::size_t i = 0; i < expected.size(); ++i) deviating[i] += shrink * ((values[i] - excess) / n - expected[i]);
  deviating = project_onto_simplex(std::move(deviating), 1);
  for (double& p : deviating) p = std::max(p, kLeastSeenProbability);
  const double sum = block_sum(deviating);
  for (double& p : deviating) p /= sum;
  return deviating;
}

void simulate_power(GofTest& test, const Simulation& of_the_test, const std::function<std::vector<double>(const Simulation&)>& draw) {
  if (!test.critical || !std::isfinite(*test.critical)) return;
  const std::size_t least = std::min(kLeastPowerDraws, of_the_test.draws.value_or(kUsualDraws));
  const std::vector<double> drawn = draw({.draws = std::clamp(*test.draws / 4, least, kPowerDraws),
                                          .seed = ~of_the_test.seed,
                                          .threads = of_the_test.threads,
                                          .progress = of_the_test.progress});
  const auto draws = static_cast<double>(drawn.size());
  const auto above = std::count_if(drawn.begin(), drawn.end(), [&](double statistic) { return statistic > *test.critical; });
  test.power = static_cast<double>(above) / draws;
  test.power_standard_error = std::sqrt(*test.power * (1 - *test.power) / draws);
}

}  // namespace tacet::inference
