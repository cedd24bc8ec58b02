// tacet/planning/guess_checks.h: how far a guess that the data confirm may be from the truth.
//
// Guesses are compared with the data one after another, and one payment is for all of them up to
// the first that is wrong (kernel/first_above.h). Each guess of the mean of values in [0, 1] has a
// tolerance of its own:
//
//   GuessChecks checks{.n = 9000, .epsilon = 0.1, .checks = 1000, .batches = 3, .beta = 0.05};
//   CheckWidths widths = *check_widths(checks);
//   widths.allowance;         // 0.011 * 3.6 = 0.04 is added to the tolerance
//   widths.file;              // 0.05: a confirmed guess is within tolerance + 0.05 of the rows
//
// With probability 1 - beta every guess of one batch that is within its tolerance of the rows is
// confirmed. With probability 1 - beta every confirmed guess of all batches is within its tolerance
// and `file` of the rows, and with probability 1 - beta within its tolerance, `population` and
// selection_width (planning/adaptive_width.h) of the population.
// Theorem  docs/explanation/checks.md. The noise is exponential: of scale l on the level and s on
//          each statistic, where 1/(n l) and 2/(n s) are 2/5 and 3/5 of epsilon. allowance = s
//          log(checks/beta), file = allowance + l log(batches/beta), population = file + l.
// Domain   1 <= n <= 10^15; 0 < epsilon <= 1000; 1 to 10^12 checks and batches; beta as in
//          planning/adaptive_width.h.
// Cost     less than a microsecond.
// Checked  tests/planning/guess_checks_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"

namespace tacet::planning {

/// What will be compared: at most `checks` guesses in each of `batches`.
struct GuessChecks {
  double n, epsilon;  // epsilon pays for one batch
  double checks, batches;
  double beta;
};

/// For means of values in [0, 1].
struct CheckWidths {
  double level, own;  // scales of the noise of the level, and of each statistic
  double allowance;   // is added to the tolerance, so that right guesses are confirmed
  double file, population;
};
Result<CheckWidths> check_widths(const GuessChecks& checks);

}  // namespace tacet::planning
