#include "tacet/inference/monte_carlo.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace tacet::inference {
namespace {

constexpr std::size_t kLeastTables = 8;
/// The doubles in a block of tables.
constexpr std::size_t kBlockCells = std::size_t{1} << 14;
/// Of all tables together, where the number of draws is ours to choose.
constexpr double kMostUsualCells = 2e7;
constexpr double kLeastUsualDraws = 1000;

/// A NaN counts as large.
std::size_t count_reached(std::span<const double> statistics, double observed) {
  return static_cast<std::size_t>(std::count_if(statistics.begin(), statistics.end(), [&](double t) { return !(t < observed); }));
}

}  // namespace

std::size_t usual_draws(std::size_t cells, double alpha) {
  const double affordable = kMostUsualCells / static_cast<double>(cells);
  const double usual = std::min<double>(kUsualDraws + 1, std::max({affordable, kLeastUsualDraws, 20 / alpha}));
  // One less than a round number, so that p-values are round; and as many as the level needs.
  const double draws = std::ceil(std::max(usual, 1 / alpha) / kLeastUsualDraws - 1e-9) * kLeastUsualDraws;
  return static_cast<std::size_t>(std::min<double>(draws - 1, kMostDraws));
}

Status check_draws(std::size_t draws, double alpha) {
  // Rounding may leave a product just below 1 that should be 1.
  if (draws >= 1 && draws <= kMostDraws && (static_cast<double>(draws) + 1) * alpha >= 1 - 1e-12) return {};
  return Error::invalid("draws", fmt::format("{}", draws),
                        fmt::format("must be at least 1/alpha - 1 = {:.6g} and at most {}", std::ceil(1 / alpha - 1), kMostDraws),
                        alpha * (kUsualDraws + 1) >= 1 ? "for example: draws = 9999" : "");
}

std::size_t tables_in_a_block(std::size_t cells) {
  return std::clamp(kBlockCells / cells / kLeastTables * kLeastTables, kLeastTables, kMostTablesInABlock);
}

namespace {

/// Decides when draws may stop: which blocks are drawn does not depend on the threads, so only what
/// the first blocks have reached counts, as far as all of them are ready.
class Reached {
 public:
  Reached(std::optional<double> observed, std::size_t blocks) : observed_(observed), of_block_(observed ? blocks : 0, kNotReady) {}

  /// True if enough were reached in the blocks before the first that is not ready.
  bool tell(std::size_t block, std::span<const double> statistics) {
    if (!observed_) return false;
    const std::lock_guard lock(mutex_);
    of_block_[block] = count_reached(statistics, *observed_);
    for (; ready_ < of_block_.size() && of_block_[ready_] != kNotReady; ++ready_) reached_ += of_block_[ready_];
    return reached_ >= kEnoughReached;
  }

 private:
  static constexpr std::size_t kNotReady = ~std::size_t{0};
  std::optional<double> observed_;
  std::mutex mutex_;
  std::vector<std::size_t> of_block_;
  std::size_t ready_ = 0, reached_ = 0;
};

/// The draws up to the last that is needed.
void cut(std::vector<double>& statistics, std::size_t draws, std::optional<double> observed) {
  std::size_t reached = 0;
  std::size_t needed = 0;
  while (needed < draws && reached < kEnoughReached) {
    if (observed && !(statistics[needed] < *observed)) ++reached;
    ++needed;
  }
  statistics.resize(needed);
}

}  // namespace

std::vector<double> simulate(const Simulation& simulation, std::size_t tables, const std::function<BlockOfTables()>& make) {
  return simulate(simulation, std::nullopt, tables, make);
}

std::vector<double> simulate(const Simulation& simulation, std::optional<double> observed, std::size_t tables,
                             const std::function<BlockOfTables()>& make) {
  const std::size_t draws = simulation.draws.value_or(kUsualDraws);
  const std::size_t blocks = (draws + tables - 1) / tables;
  std::vector<double> statistics(blocks * tables);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> enough{false};
  Reached reached(observed, blocks);
  double told = 0;  // only by the calling thread
  const auto work = [&](bool tells) {
    const BlockOfTables fill = make();
    for (std::size_t block = next++; block < blocks && !enough; block = next++) {
      numeric::InsecureStream stream(simulation.seed, block);
      const auto mine = std::span(statistics).subspan(block * tables, tables);
      fill(stream, mine);
      if (reached.tell(block, mine)) enough = true;
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
  cut(statistics, draws, observed);
  return statistics;
}

MonteCarloAnswer compare(double statistic, std::vector<double> null, double alpha, bool stopped) {
  const auto reached = static_cast<double>(count_reached(null, statistic));
  const auto drawn = static_cast<double>(null.size());
  for (double& t : null) {
    if (std::isnan(t)) t = std::numeric_limits<double>::infinity();
  }
  // A larger statistic rejects, and no other. Rounding may leave a product just above an integer
  // that should be that integer.
  const double all = stopped ? drawn : drawn + 1;
  const double rank = std::ceil(all * (1 - alpha) - 1e-9 * all * alpha);
  const auto at = null.begin() + static_cast<std::ptrdiff_t>(std::clamp(rank, 1.0, drawn)) - 1;
  std::nth_element(null.begin(), at, null.end());
  return {.p_value = stopped ? reached / drawn : (1 + reached) / (drawn + 1), .critical = *at};
}

}  // namespace tacet::inference
