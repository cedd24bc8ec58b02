// tacet/inference/gof_simulation.h: a goodness-of-fit statistic of many tables drawn as the null says and noised as the release was.
//
//   std::vector<double> t = simulate_gof_null(design, GofStatistic::Projected, {.law = release.noise, .grid = release.grid},
//                                             {.draws = 4999, .seed = 1});
//
// Each table is multinomial(n, p) plus noise of the release's own family, scale, grid and structure: the exact law of what was released, up to
// the rounding of doubles. Where n is not public, the statistic is Lee's: sum of (y_i - N p_i)^2/(N p_i), N the sum of the noisy table.
// Domain   2 to 10^6 cells; 1 to 10^7 draws; n a whole number to 2^50. The caller has checked them.
// Error    as numeric/insecure_counts.h and insecure_stream.h. The result is the same for every number of threads.
// Cost     about 20 ns for each cell of each table (bench/simulation_bench.cc).
// Checked  tests/inference/goodness_of_fit_test.cc: against the laws of normal vectors; the level of the tests that use it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tacet/inference/gof_law.h"
#include "tacet/mechanisms/release_file.h"

namespace tacet::inference {

struct NoiseSource {
  mechanisms::NoiseLaw law;
  std::optional<double> grid = {};  // what was added is a multiple of this
};

struct GofSimulation {
  std::size_t draws;
  std::uint64_t seed;
  bool n_public = true;
  unsigned threads = 1;                                // 0: as many as the machine has
  std::function<void(double fraction)> progress = {};  // called from the calling thread
};

inline constexpr std::size_t kMostSimulatedCells = 1'000'000;
inline constexpr std::size_t kMostDraws = 10'000'000;

/// One statistic for each draw, infinite where the noisy total N is not positive. `n_public` = false: the classical statistic alone.
std::vector<double> simulate_gof_null(const GofDesign& design, GofStatistic statistic, const NoiseSource& noise,
                                      const GofSimulation& simulation);

/// Lee's statistic with the total of the values in place of n; 0/0 = 0. Infinite where the total is not positive.
double gof_statistic_unknown_n(std::span<const double> null, std::span<const double> values);

}  // namespace tacet::inference
