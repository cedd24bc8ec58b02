// tacet/inference/counts/gof_simulation.h: a goodness-of-fit statistic of many tables, drawn as a hypothesis says and noised as the release was.
//
//   GofSetting setting{.design = design, .statistic = GofStatistic::Projected, .noise = noise_source(release)};
//   std::vector<double> null = simulate_gof(setting, design.null(), {.draws = 4999});
//   std::vector<double> other = simulate_gof(setting, alternative, {.draws = 4999, .seed = 2});
//   SimulatedPower power = simulated_power(null, other, 0.05);          // .power, .standard_error
//
// Where n is not public, the statistic is Lee's: sum of (y_i - N p_i)^2/(N p_i), N the sum of the noisy table. Where the table is to be denoised,
// every drawn one is too (Lee, Algorithm 2: the mechanism is noise and denoising together), and the statistic is the classical one of the result.
// Domain   as noisy_tables.h and monte_carlo.h. The caller has checked them, and that the denoising serves this noise, these cells and this n.
// Error    as noisy_tables.h. The result is the same for every number of threads.
// Cost     7 ns for each cell of each table (bench/simulation_bench.cc), 18 where cells expect 5 people; denoised tables 0.5 us each besides.
// Checked  tests/inference/gof_simulation_test.cc: against the laws of normal vectors and against tables one by one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::inference {

struct GofSetting {
  GofDesign design;
  GofStatistic statistic;  // Classical where n is not public, and where tables are denoised
  NoiseSource noise;
  bool n_public = true;
  DenoiseOptions denoise = {};
};
bool denoises(const DenoiseOptions& options);

/// One statistic for each draw, of tables whose people follow `truth`: the null, or an alternative. Infinite where the total N is not positive.
std::vector<double> simulate_gof(const GofSetting& setting, std::span<const double> truth, const Simulation& simulation);

/// The statistic of released values, as the simulation computes it. InvalidArgument where the denoising refuses.
Result<double> gof_statistic_of(const GofSetting& setting, std::span<const double> values);

/// Lee's statistic with the total of the values in place of n; 0/0 = 0. Infinite where the total is not positive.
double gof_statistic_unknown_n(std::span<const double> null, std::span<const double> values);

/// How often tables of another truth exceed what the null exceeds with probability alpha.
/// Error    standard_error: of both simulations, the critical value's by the ratio of the densities at it.
struct SimulatedPower {
  double power, standard_error, critical;
};
SimulatedPower simulated_power(std::vector<double> null, std::span<const double> other, double alpha);

}  // namespace tacet::inference
