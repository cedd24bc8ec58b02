// tacet/workflow/infer/test_mean.h: tests whether the means of a release are given values.
//
//   MomentRelease release = *read_release_as<MomentRelease>("means.json");
//   MeanChoice population{.target = MeanTarget::Population};
//   MeanTestAnswer answer = *test_mean(release, {.means = population, .null = {130, 50}});
//   answer.test.outcome;  answer.test.p_value;
//
// With an alternative, this is the likelihood-ratio test against it, or the best linear test.
// Without one, the null hypothesis is rejected if it lies outside the confidence region.
// Domain   one number for each mean in null and alternative; 1e-9 <= alpha <= 0.5.
// Error, Cost   as inference/means/mean_hypothesis.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_hypothesis.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/infer/mean_basis.h"

namespace tacet {

using inference::MeanAnalysis;
using inference::MeanTest;

/// The means, the null and the alternative.
struct MeanTestRequest {
  MeanChoice means = {};
  std::vector<double> null = {};
  std::optional<std::vector<double>> alternative = {};  // empty: against all other means
  double alpha = 0.05;
  MeanAnalysis analysis = MeanAnalysis::Optimal;
};

/// The test, and what it rests on.
struct MeanTestAnswer {
  MeanBasis basis;
  MeanTest test;
  MeanTestRequest asked;
};

/// Could the means be those of the null?
Result<MeanTestAnswer> test_mean(const MeanRelease& release, const MeanTestRequest& request, const Context& context = {});

}  // namespace tacet
