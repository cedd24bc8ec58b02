// tacet/planning/simulate.h: what a mechanism and its post-processing cost on a given table, by simulation, where no formula is known.
//
//   SimulatedCost s = *simulate_cost(truth, law, {.project = Projection::Simplex}, {.trials = 2000, .seed = 1});
//   s.cost; s.standard_error;
//
// The truth is an argument here, not data: a table that somebody supposes. Noise is drawn from a stream that can be repeated and keeps no secret.
// Theorem  The squared error of the noise itself has a known expectation. The first tenth of the trials finds the multiple of it that explains
//          most of the squared error, and the others average what is left, so that the result is unbiased, with a far smaller error where
//          the post-processing does little.
// Domain   2 to 10^7 cells, 40 to 10^7 trials; whatever denoise() takes.
// Error    as the standard error says.
// Cost     about 60 ns for each cell and trial.          Checked  tests/planning/simulate_test.cc: against exact costs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tacet/base/result.h"
#include "tacet/inference/denoise.h"
#include "tacet/mechanisms/release_file.h"

namespace tacet::planning {

struct Simulation {
  std::size_t trials;
  std::uint64_t seed;
};

struct SimulatedCost {
  double cost, standard_error;
};

inline constexpr std::size_t kFewestTrials = 40;
inline constexpr std::size_t kMostTrials = 10'000'000;

/// The total of `truth` is public. InvalidArgument where denoise() refuses, and outside the domain.
Result<SimulatedCost> simulate_cost(std::span<const double> truth, const mechanisms::NoiseLaw& law,
                                    const inference::DenoiseOptions& options, Simulation simulation);

}  // namespace tacet::planning
