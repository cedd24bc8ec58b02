// tacet/inference/counts/cramers_v.h: Cramer's V of a noisy table, with intervals.
//
//   CramersV v = *estimate_cramers_v(table, {3, 2}, {.alpha = 0.05});     // rows x columns
//   v.estimate; v.population.lower; v.file.upper;
//
// V is the square root of Pearson's statistic over n times the smaller of r - 1 and c - 1. Noise
// and sampling both enlarge the V of a released table. So the answer is found by simulation: the
// tables between independence and the released table, and beyond it, are drawn again with the noise
// of the release, and for the population with sampling. The interval has the V of all those whose
// drawn V is not too small or too large for the observed one. The estimate is the V for which the
// observed one is the median over the noise. Without noise, that is the V of the table.
// Theorem  Test inversion along the line from independence to the table. Other directions at the
//          same V are not searched: coverage was measured.
// Domain   2 x 2 to 10^4 cells; 10^-3 <= alpha <= 1/2; rows and columns that may be empty are left
//          out before (workflow/infer/told_categories.h).
// Error    that of the draws: limits are quantiles of 4,000 simulated tables, fewer beyond 100
//          cells.
// Cost     about 70 times the draws.
// Checked  tests/inference/table_follow_up_test.cc: coverage with sampling error, and values
//          without noise.
// Derivation  docs/explanation/proportions.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/inference/counts/collapsed_table.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/proportion.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::inference {

struct CramersVOptions {
  double alpha = 0.05;
  Simulation simulation = {};
};

struct CramersV {
  std::optional<double> estimate = {};
  Interval file{0, 1}, population{0, 1};
  std::optional<std::string> reason = {};  // why nothing is known
  std::size_t draws = 0;                   // for each table that was tried
};

/// The classes of the table are its cells, row by row.
Result<CramersV> estimate_cramers_v(const CollapsedTable& table, TableShape shape, const CramersVOptions& options);

/// Of a table that is not negative; 0 if it is empty. Empty rows and columns do not count.
double cramers_v(TableShape shape, std::span<const double> table);

}  // namespace tacet::inference
