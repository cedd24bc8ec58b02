// tacet/inference/counts/residuals.h: which cells of a noisy table deviate from independence.
//
//   CellResiduals r = *adjusted_residuals(table, {3, 2}, {.alpha = 0.05});   // rows x columns
//   r.residuals[4];      // people above or below expectation, in standard errors
//   r.p_values[4];       // at most alpha: this cell deviates
//
// A residual is Haberman's adjusted residual whose standard error also has the noise of the
// release. The p-values are for all cells together: the probability, if the variables are
// independent, that the largest residual of the table is at least this one. It is simulated at the
// fitted margins with sampling and the noise of the release.
// Theorem  Haberman (1973); single-step maxT of Westfall and Young (1993): under independence a
//          cell is called deviating with probability at most alpha, for any dependence between
//          cells. The margins are estimated, so the level is right for large n; it was measured.
// Domain   2 x 2 to 10^4 cells; 10^-9 <= alpha <= 1/2; draws as monte_carlo.h.
// Cost     linear in the cells for each draw.
// Checked  tests/inference/table_follow_up_test.cc: level, power, and values without noise.
// Derivation  docs/explanation/table_tests.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/collapsed_table.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::inference {

struct ResidualOptions {
  double alpha = 0.05;
  Simulation simulation = {};
};

struct CellResiduals {
  std::vector<double> residuals, p_values;  // row by row; empty with a reason
  std::vector<double> expected;             // people, if the variables are independent
  std::optional<double> critical = {};      // a residual beyond it, in size, deviates
  double n = 0;
  std::optional<std::string> reason = {};  // why nothing is known
  std::size_t draws = 0;
};

/// The classes of the table are its cells, row by row.
Result<CellResiduals> adjusted_residuals(const CollapsedTable& table, TableShape shape, const ResidualOptions& options);

}  // namespace tacet::inference
