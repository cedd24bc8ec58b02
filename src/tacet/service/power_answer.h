// tacet/service/power_answer.h: what the plans of means share until they are typed: simulation, and the files of curves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/report/plot.h"
#include "tacet/service/verb.h"

namespace tacet::service {

/// Of n and power exactly one must be given.
Status check_n_or_power(const Json& request);

/// The draws, or `usual`, and the seed. While it runs, `doing` is told.
Result<inference::Simulation> simulation_fields(const Json& request, const Context& context, std::size_t usual, const std::string& doing);

/// Writes the files that csv and html name, and names them in `result`.
Status write_curve_files(const Json& request, const std::string& csv, const report::LinePlot& plot, Json& result);
/// "Wrote power.csv." for each of them.
std::string written_words(const Json& result);

}  // namespace tacet::service
