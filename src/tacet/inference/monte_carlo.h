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
//          level is not kept.
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
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

struct Simulation {
  std::size_t draws = 9999;
  std::uint64_t seed = 1;
  unsigned threads = 0;                                // 0: as many as the machine has
  std::function<void(double fraction)> progress = {};  // called from the calling thread
};

inline constexpr std::size_t kMostDraws = 10'000'000;

/// InvalidArgument, naming "draws", outside the domain.
Status check_draws(const Simulation& simulation, double alpha);

/// Fills a statistic for each table of a block, from the stream of the block.
using BlockOfTables = std::function<void(numeric::InsecureStream& stream, std::span<double> statistics)>;

/// The statistics of simulation.draws tables, drawn in blocks of `tables`. `make` is called once
/// in each thread, so its result may have its own buffers.
std::vector<double> simulate(const Simulation& simulation, std::size_t tables, const std::function<BlockOfTables()>& make);

/// The number of tables of this many cells in a block that fits the processor's cache: a multiple
/// of 8, at most 256.
std::size_t tables_in_a_block(std::size_t cells);
inline constexpr std::size_t kMostTablesInABlock = 256;

struct MonteCarloAnswer {
  double p_value, critical;
};
MonteCarloAnswer compare(double statistic, std::vector<double> null, double alpha);

}  // namespace tacet::inference
