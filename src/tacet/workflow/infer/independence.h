// tacet/workflow/infer/independence.h: tests whether two variables of a release are independent.
//
//   IndependenceTest test = *test_independence(table, {.alpha = 0.05});     // two variables
//   IndependenceTest two = *test_independence(table, {.rows = "smoking", .columns = "disease"});
//   test.fitted;        // the nearest table of probabilities whose variables are independent
//
// The test knows the noise of the release, or how people randomised their own reports. It reads no
// data and costs no privacy.
// Domain   2 x 2 to 10^6 cells; 1e-9 <= alpha <= 0.5; draws as workflow/simulation.h.
// Error    inference/counts/independence.h and inference/local/local_independence.h.
// Cost     a fit, and one for each simulated table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/workflow/infer/count_test.h"
#include "tacet/workflow/infer/table_release.h"

namespace tacet {

using mechanisms::Matrix;

/// The level, the statistic, the method and the two variables.
struct IndependenceOptions {
  double alpha = 0.05;
  std::optional<GofStatistic> statistic = {};  // empty: projected
  GofMethod method = GofMethod::Automatic;
  Simulation simulation = {};
  // Both or neither: the two variables of a release that has more. The cells of the others are
  // added up.
  std::optional<std::string> rows = {}, columns = {};
};

/// The test, with the table that independence fits best.
struct IndependenceTest : CountTest {
  std::optional<double> n = {};                        // if it is public
  std::optional<Matrix> fitted = {};                   // empty if no people remain for a fit
  std::optional<std::string> rows = {}, columns = {};  // the variables, if they have names
};

/// The table of the two variables that the options name, or else the release itself.
/// InvalidArgument if only one is named.
Result<CountRelease> tested_table(const CountRelease& release, const IndependenceOptions& options);

/// Are two variables independent of each other?
Result<IndependenceTest> test_independence(const CountRelease& release, const IndependenceOptions& options = {},
                                           const Context& context = {});
/// Local reports must be a table of two variables: rows and columns cannot be chosen.
Result<IndependenceTest> test_independence(const LocalRelease& release, const IndependenceOptions& options = {},
                                           const Context& context = {});
/// A table that was projected before it was published: of two variables, with a public n.
Result<IndependenceTest> test_independence(const DenoisedRelease& release, const IndependenceOptions& options = {},
                                           const Context& context = {});
Result<IndependenceTest> test_independence(const TestedTable& release, const IndependenceOptions& options = {},
                                           const Context& context = {});

}  // namespace tacet
