// tacet/workflow/plan/goodness_of_fit_plan.h: the power of a goodness-of-fit test.
//
//   const std::vector<double> null = {0.5, 0.3, 0.2}, alternative = {0.52, 0.29, 0.19};
//   CountTestPlan plan = *plan_goodness_of_fit(null, alternative, {.loss = Rho(0.01), .n = 1468});
//   plan.power;        // how often the test rejects `null` if people follow `alternative`
//
// Domain, Error, Cost: count_plan.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/plan/count_plan.h"

namespace tacet {

/// A probability for each cell, of the same cells in both.
Result<CountTestPlan> plan_goodness_of_fit(const std::vector<double>& null, const std::vector<double>& alternative,
                                           const CountPlanOptions& options, const Context& context = {});

/// The deviation that is hardest to find (planning/hardest_alternative.h), with a largest change of
/// `size`.
Result<std::vector<double>> hardest_alternative(const std::vector<double>& null, double size);

}  // namespace tacet
