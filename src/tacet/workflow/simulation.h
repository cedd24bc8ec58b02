// tacet/workflow/simulation.h: the draws of a simulated answer: how many, and from which seed.
//
//   TestOptions options{.simulation = {.draws = 99'999, .seed = 7}};
//   const Simulation running = told(options.simulation, context, "simulating tables");
//
// The same seed gives the same answer on every machine and with every number of threads.
// Domain   1 to 10^7 draws; a seed of at most 2^53, so that JSON can hold it.
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

/// The same simulation, which tells `context` its progress, unless it tells it to somebody already.
/// `context` must outlive it.
Simulation told(Simulation simulation, const Context& context, std::string doing);

}  // namespace tacet
