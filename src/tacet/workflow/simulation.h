// tacet/workflow/simulation.h: the number of draws and the seed of a simulated answer.
//
//   IndependenceOptions options{.simulation = {.draws = 99'999, .seed = 7}};
//   const Simulation running = told(options.simulation, context, "simulating tables");
//
// The same seed gives the same answer on every machine and with every number of threads.
// Domain   1 to 10^7 draws; a seed of at most 2^53, because JSON has doubles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tacet/inference/monte_carlo.h"
#include "tacet/workflow/context.h"

namespace tacet {

using inference::kMostDraws;
using inference::Simulation;
inline constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 53;

/// The same simulation with its progress told to `context`, unless it has a listener already.
/// `context` must outlive it.
Simulation told(Simulation simulation, const Context& context, std::string doing);

}  // namespace tacet
