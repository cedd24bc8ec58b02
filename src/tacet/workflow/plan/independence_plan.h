// tacet/workflow/plan/independence_plan.h: the power of a test of independence.
//
//   const Matrix joint{2, 2, {0.27, 0.23, 0.23, 0.27}};
//   CountTestPlan plan = *plan_independence(joint, {.loss = Rho(0.01), .power = 0.8});
//   plan.n;            // 1545 people are needed for a power of 0.8
//
// Domain, Error, Cost: count_plan.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/workflow/plan/count_plan.h"

namespace tacet {

using mechanisms::Matrix;

/// `alternative` has the probability of each cell, of at least two rows and two columns.
Result<CountTestPlan> plan_independence(const Matrix& alternative, const CountPlanOptions& options, const Context& context = {});

}  // namespace tacet
