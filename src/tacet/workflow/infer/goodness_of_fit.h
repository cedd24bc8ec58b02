// tacet/workflow/infer/goodness_of_fit.h: tests whether a released table follows given
// probabilities.
//
//   CountRelease table = *read_release_as<CountRelease>("smoking.json");
//   GoodnessOfFitTest test = *test_goodness_of_fit(table, {0.5, 0.3, 0.2}, {.alpha = 0.05});
//   test.outcome;
//
// The test knows the noise of the release, or how people randomised their own reports. It reads no
// data and costs no privacy.
// Domain   2 to 10^7 cells; 1e-9 <= alpha <= 0.5; draws as workflow/simulation.h.
// Error    inference/counts/goodness_of_fit.h and inference/local/local_goodness_of_fit.h.
// Cost     9999 simulated tables by default: milliseconds for ten cells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/workflow/infer/count_test.h"
#include "tacet/workflow/infer/table_release.h"

namespace tacet {

using inference::Projection;
using inference::Shrinkage;

/// The level, the statistic and the method of a test of fit.
struct GoodnessOfFitOptions {
  double alpha = 0.05;
  std::optional<GofStatistic> statistic = {};  // empty: the one with the greatest planned power
  GofMethod method = GofMethod::Automatic;
  Simulation simulation = {};
  // The table is denoised first, and so is every simulated one. Only for releases of counts.
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
  std::vector<double> target = {};  // of the shrinkage, such as a past table; public
};

/// The test, and how the table was denoised before it.
struct GoodnessOfFitTest : CountTest {
  std::optional<double> n = {};  // if it is public
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
};

/// `null` has a probability for each cell of the release, in its order.
Result<GoodnessOfFitTest> test_goodness_of_fit(const CountRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options = {}, const Context& context = {});
Result<GoodnessOfFitTest> test_goodness_of_fit(const LocalRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options = {}, const Context& context = {});
/// The options cannot shrink or project it again.
Result<GoodnessOfFitTest> test_goodness_of_fit(const DenoisedRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options = {}, const Context& context = {});
Result<GoodnessOfFitTest> test_goodness_of_fit(const TestedTable& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options = {}, const Context& context = {});

}  // namespace tacet
