// tacet/planning/simulated_cost.h: the expected squared error of a denoised table by simulation,
// if no formula is known.
//
//   const std::vector<double> truth = {75, 149, 28, 175, 184, 190};
//   SimulatedCost s = *simulate_cost(truth, noise, {.project = Projection::Simplex},
//                                    {.trials = 2000, .seed = 1});
//   s.cost; s.standard_error;
//
// The truth is an assumed table, not data. Noise comes from a stream that is repeatable on every
// machine and not secret (numeric/insecure_stream.h).
// Theorem  A control variate: a squared error with known expectation, that of the noise or, if the
//          caller knows its cost, that of the table before the projection. The first tenth of the
//          trials finds its best multiple, and the others average the rest. The result is
//          unbiased, and nearly exact if the post-processing has little effect.
// Domain   1 to 10^7 cells, 20 to 10^7 trials; otherwise as shrink() and project().
// Error    standard_error.
// Cost     about 30 ns for each cell and trial.
// Checked  tests/planning/simulated_cost_test.cc: against exact costs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tacet/base/result.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::planning {

struct Simulation {
  std::size_t trials;
  std::uint64_t seed;
};

struct SimulatedCost {
  double cost, standard_error;
};

inline constexpr std::size_t kFewestTrials = 20;
inline constexpr std::size_t kMostTrials = 10'000'000;

/// The total of `truth` is public; `unprojected_cost` is the exact cost without the projection, if
/// it is known. InvalidArgument if shrink() or project() refuse, and outside the domain.
Result<SimulatedCost> simulate_cost(std::span<const double> truth, const mechanisms::NoiseDistribution& distribution,
                                    const inference::DenoiseOptions& options, Simulation simulation,
                                    std::optional<double> unprojected_cost = std::nullopt);

}  // namespace tacet::planning
