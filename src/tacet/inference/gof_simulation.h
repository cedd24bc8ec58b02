// tacet/inference/gof_simulation.h: a goodness-of-fit statistic of many tables drawn as the null says and noised as the release was.
//
//   std::vector<double> t = simulate_gof_null(design, GofStatistic::Projected, noise_source(release), /*n_public=*/true, {.draws = 4999});
//
// Where n is not public, the statistic is Lee's: sum of (y_i - N p_i)^2/(N p_i), N the sum of the noisy table.
// Domain   as noisy_tables.h and monte_carlo.h. The caller has checked them.
// Error    as noisy_tables.h. The result is the same for every number of threads.
// Cost     7 ns for each cell of each table (bench/simulation_bench.cc); 18 ns where cells expect 5 people.
// Checked  tests/inference/goodness_of_fit_test.cc: against the laws of normal vectors; the level of the tests that use it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tacet/inference/gof_law.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/inference/noisy_tables.h"

namespace tacet::inference {

/// One statistic for each draw, infinite where the noisy total N is not positive. `n_public` = false: the classical statistic alone.
std::vector<double> simulate_gof_null(const GofDesign& design, GofStatistic statistic, const NoiseSource& noise, bool n_public,
                                      const Simulation& simulation);

/// Lee's statistic with the total of the values in place of n; 0/0 = 0. Infinite where the total is not positive.
double gof_statistic_unknown_n(std::span<const double> null, std::span<const double> values);

}  // namespace tacet::inference
