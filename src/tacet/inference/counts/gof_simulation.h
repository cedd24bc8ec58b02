// tacet/inference/counts/gof_simulation.h: the goodness-of-fit statistics of many simulated noisy
// tables.
//
//   GofDesign design = *GofDesign::of({0.5, 0.3, 0.2}, /*n=*/1000, {.variance = 80});
//   GofSetting setting{.design = design, .statistic = GofStatistic::Projected,
//                      .noise = noise_source(release)};
//   std::vector<double> null = simulate_gof(setting, design.null(), {.draws = 4999});
//   const std::vector<double> alternative = {0.52, 0.29, 0.19};
//   std::vector<double> other = simulate_gof(setting, alternative, {.draws = 4999, .seed = 2});
//   SimulatedPower power = simulated_power(null, other, 0.05);          // .power, .standard_error
//
// If n is not public, the statistic is Lee's: the sum of (y_i - N p_i)^2/(N p_i), N the sum of the
// table; denoising then uses the total only if the noise keeps it. If the released table is
// denoised, every simulated one is too (Lee, Algorithm 2: the mechanism is noise and denoising
// together), and the statistic is the classical one of the result.
// Domain   as noisy_tables.h and monte_carlo.h. The caller has checked them, and that the
//          denoising suits this noise, these cells and this n.
// Error    as noisy_tables.h. The result does not depend on the number of threads.
// Cost     7 ns for each cell of each table (bench/simulation_bench.cc), 18 if cells expect 5
//          people; denoising takes 0.5 us more for each table.
// Checked  tests/inference/gof_simulation_test.cc: against the distributions of normal vectors,
//          and against tables one by one.
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
  /// n not public, and denoised: the statistic times the total of the table (gof_unknown_total.h).
  bool times_total = false;
};
bool denoises(const DenoiseOptions& options);

/// One statistic for each draw, of tables whose people follow `truth`: the null hypothesis, or an
/// alternative. Infinite if the total N is not positive.
std::vector<double> simulate_gof(const GofSetting& setting, std::span<const double> truth, const Simulation& simulation,
                                 std::optional<double> observed = {});

/// The statistic of released values, computed as in the simulation. InvalidArgument if the
/// denoising fails. Values that are denoised already (DenoiseOptions::done) are taken as they are.
Result<double> gof_statistic_of(const GofSetting& setting, std::span<const double> values);

/// Lee's statistic with the total of the values in place of n, without the cells of probability 0.
/// Infinite if the total is not positive.
double gof_statistic_unknown_n(std::span<const double> null, std::span<const double> values);

/// The power against tables of another truth, at the critical value of the null hypothesis for
/// alpha.
/// Error    standard_error covers both simulations. That of the critical value is multiplied by
///          the ratio of the densities there.
struct SimulatedPower {
  double power, standard_error, critical;
};
SimulatedPower simulated_power(std::vector<double> null, std::span<const double> other, double alpha);

}  // namespace tacet::inference
