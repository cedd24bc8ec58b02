// tacet/inference/monte_carlo.h: p-values from simulated statistics of the null hypothesis.
//
//   std::vector<double> null = simulate({.draws = 9999, .seed = 1}, /*tables=*/256, [] {
//     return [](numeric::InsecureStream& stream, std::span<double> statistics) {
//       stream.fill_normal(statistics);              // in place of the statistics of 256 tables
//     };
//   });
//   MonteCarloAnswer answer = compare(/*statistic=*/2.3, null, 0.05);      // .p_value, .critical
//
// Theorem  If the observed statistic T and the B simulated ones T* are exchangeable under the null
//          hypothesis, p = (1 + #{T* >= T})/(B + 1) has P[p <= alpha] <= alpha. Then p <= alpha if
//          T exceeds the ceil((B + 1)(1 - alpha))-th smallest T* (Rogers 6.1.5). With #/B the
//          level is not kept. If the draws stop at the h-th T* >= T, after l <= B draws, p = h/l
//          has the same property (Besag and Clifford 1991).
// Domain   1 to 10^7 draws; (B + 1) alpha >= 1.
// Error    only that of the draws. Every block of tables has its own stream, so the result does
//          not depend on the number of threads.
// Cost     that of the drawing; memory 8 bytes for each draw.
// Checked  tests/inference/monte_carlo_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

struct Simulation {
  std::optional<std::size_t> draws = {};  // the most; empty: usual_draws
  std::uint64_t seed = 1;
  unsigned threads = 0;                                // 0: as many as the machine has
  std::function<void(double fraction)> progress = {};  // called from the calling thread
};

inline constexpr std::size_t kMostDraws = 10'000'000;
inline constexpr std::size_t kUsualDraws = 9999;
/// A p-value h/l has a relative standard error of at most 1/20.
inline constexpr std::size_t kEnoughReached = 400;

/// kUsualDraws for tables of up to 2,000 cells. Fewer for larger ones, whose draws take long, but
/// at least 999, and 20/alpha up to kUsualDraws. As many as a small alpha needs.
std::size_t usual_draws(std::size_t cells, double alpha);

/// InvalidArgument, naming "draws", outside the domain.
Status check_draws(std::size_t draws, double alpha);

/// Fills a statistic for each table of a block, from the stream of the block.
using BlockOfTables = std::function<void(numeric::InsecureStream& stream, std::span<double> statistics)>;

/// The statistics of simulation.draws tables (kUsualDraws if empty), drawn in blocks of `tables`.
/// `make` is called once in each thread, so its result may have its own buffers.
std::vector<double> simulate(const Simulation& simulation, std::size_t tables, const std::function<BlockOfTables()>& make);
/// The same, up to the kEnoughReached-th that is at least as large as the observed statistic.
std::vector<double> simulate(const Simulation& simulation, std::optional<double> observed, std::size_t tables,
                             const std::function<BlockOfTables()>& make);
/// A simulation of the null hypothesis that passes an observed statistic on.
using NullDraws = std::function<std::vector<double>(const Simulation& simulation, std::optional<double> observed)>;

/// The number of tables of this many cells in a block that fits the processor's cache: a multiple
/// of 8, at most 256.
std::size_t tables_in_a_block(std::size_t cells);
inline constexpr std::size_t kMostTablesInABlock = 256;

struct MonteCarloAnswer {
  double p_value, critical;
};
/// `stopped`: the draws ended early, since `statistic` was reached often enough.
MonteCarloAnswer compare(double statistic, std::vector<double> null, double alpha, bool stopped = false);

}  // namespace tacet::inference
