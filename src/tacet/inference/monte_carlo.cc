#include "tacet/inference/monte_carlo.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include <fmt/format.h>

namespace tacet::inference {
namespace {

constexpr std::size_t kLeastTables = 8;
/// The doubles in a block of tables.
constexpr std::size_t kBlockCells = std::size_t{1} << 14;

}  // namespace

Status check_draws(const Simulation& simulation, double alpha) {
  const auto draws = static_cast<double>(simulation.draws);
  // Rounding may leave a product just below 1 that should be 1.
  if (simulation.draws >= 1 && simulation.draws <= kMostDraws && (draws + 1) * alpha >= 1 - 1e-12) return {};
  return Error::invalid("draws", fmt::format("{}", simulation.draws),
                        fmt::format("must be at least 1/alpha - 1 = {:.6g} and at most {}", std::ceil(1 / alpha - 1), kMostDraws),
                        "for example: draws = 9999");
}

std::size_t tables_in_a_block(std::size_t cells) {
  return std::clamp(kBlockCells / cells / kLeastTables * kLeastTables, kLeastTables, kMostTablesInABlock);
}

std::vector<double> simulate(const Simulation& simulation, std::size_t tables, const std::function<BlockOfTables()>& make) {
  const std::size_t blocks = (simulation.draws + tables - 1) / tables;
  std::vector<double> statistics(blocks * tables);
  std::atomic<std::size_t> next{0};
  double told = 0;  // only by the calling thread
  const auto work = [&](bool tells) {
    const BlockOfTables fill = make();
    for (std::size_t block = next++; block < blocks; block = next++) {
      numeric::InsecureStream stream(simulation.seed, block);
      fill(stream, std::span(statistics).subspan(block * tables, tables));
      if (!tells || !simulation.progress) continue;
      told = static_cast<double>(block + 1) / static_cast<double>(blocks);
      simulation.progress(told);
    }
  };
  const unsigned wanted = simulation.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : simulation.threads;
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < wanted && i < blocks; ++i) others.emplace_back(work, false);
  work(true);
  others.clear();                                               // joins
  if (simulation.progress && told < 1) simulation.progress(1);  // another thread was last
  statistics.resize(simulation.draws);
  return statistics;
}

MonteCarloAnswer compare(double statistic, std::vector<double> null, double alpha) {
  const auto reached =
      // A NaN counts as large.
      std::count_if(null.begin(), null.end(), [&](double t) { return !(t < statistic); });
  const auto draws = static_cast<double>(null.size());
  // Rounding may leave a product just above an integer that should be that integer.
  const double rank = std::ceil((draws + 1) * (1 - alpha) - 1e-9 * (draws + 1) * alpha);
  const auto at = null.begin() + static_cast<std::ptrdiff_t>(std::clamp(rank, 1.0, draws)) - 1;
  std::nth_element(null.begin(), at, null.end());
  return {.p_value = (1 + static_cast<double>(reached)) / (draws + 1), .critical = *at};
}

}  // namespace tacet::inference
