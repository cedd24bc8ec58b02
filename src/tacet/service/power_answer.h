// tacet/service/power_answer.h: what the verbs that plan the power of a test share: simulation, curves and their files; for tests of counts also privacy and words.
//
//   PowerQuestion question{gof_power_plan(plan), noise, least, "Goodness of fit", "this alternative"};
//   return power_json(request, context, question);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/planning/power_curve.h"
#include "tacet/report/plot.h"
#include "tacet/service/verb.h"

namespace tacet::service {

/// Of --n and --power exactly one must be given.
Status check_n_or_power(const Json& request);

/// --draws, or `usual`, and --seed. While it runs, `doing` is told.
Result<inference::Simulation> simulation_fields(const Json& request, const Context& context, std::size_t usual, const std::string& doing);

/// Writes the files that --csv and --html name, and names them in `result`. Both names are seen to be free before the first file appears.
Status write_curve_files(const Json& request, const std::string& csv, const report::LinePlot& plot, Json& result);
/// "Wrote power.csv." for each of them.
std::string written_words(const Json& result);

/// `own`, then privacy, mechanism, n or power, alpha, statistic, method, draws, seed, csv and html.
std::vector<Field> power_fields(std::vector<Field> own);

/// The noise that the promise buys for a table whose neighbours replace one person.
Result<mechanisms::NoiseDistribution> planned_noise(const Json& request);

struct PowerQuestion {
  planning::PowerPlan plan;
  mechanisms::NoiseDistribution noise;
  double least;           // of the probabilities of the null
  std::string test;       // "Goodness of fit"
  std::string deviation;  // "this alternative"
};
Result<Json> power_json(const Json& request, const Context& context, const PowerQuestion& question);
std::string power_words(const Json& result);

}  // namespace tacet::service
