// tacet/workflow/infer/residuals.h: which cells of a released table deviate from independence.
//
//   ResidualAnswer r = *infer_residuals(table, {.rows = "smoking", .columns = "disease"});
//   r.cells[0].residual;         // in standard errors that include the noise
//   r.cells[0].p_value;          // for all cells together
//
// The follow-up of test_independence: with probability 1 - alpha no cell of a table whose variables
// are independent is called deviating. Cells of other columns are added up. It reads no data and
// costs no privacy.
// Domain   2 x 2 to 10^4 cells; 1e-9 <= alpha <= 0.5.
// Error    inference/counts/residuals.h.
// Cost     linear in the cells for each simulated table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using mechanisms::CountRelease;

/// The two columns, and the level of all cells together.
struct ResidualOptions {
  std::optional<std::string> rows = {}, columns = {};  // both, or neither for a table of two columns
  double alpha = 0.05;
  Simulation simulation = {};
};

/// One cell of the table.
struct ResidualCell {
  std::string row, column;  // labels
  double count, expected;   // people: estimated, and if the columns are independent
  double residual, p_value;
  bool deviates;
};

/// The cells with their residuals, row by row.
struct ResidualAnswer {
  std::string rows, columns;
  std::vector<ResidualCell> cells;  // none with a reason
  std::optional<double> critical = {};
  double alpha = 0;
  std::optional<std::string> reason = {};
  std::size_t draws = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> left_out = {};  // categories that may be empty: told_categories.h
};

/// Where do two columns depend on each other?
Result<ResidualAnswer> infer_residuals(const CountRelease& release, const ResidualOptions& options = {}, const Context& context = {});

}  // namespace tacet
