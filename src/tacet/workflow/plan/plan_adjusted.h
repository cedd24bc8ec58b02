// tacet/workflow/plan/plan_adjusted.h: the gain of a query that is adjusted to its analysis.
//
//   AdjustedPlan plan = *plan_adjusted({.covariance = {2, 2, {400, 90, 90, 225}}, .eta = {10, 5},
//                                       .n = 50, .epsilon = 1, .delta = 0.02, .gamma = 1e-4});
//   plan.adjusted;              // the power by the whitened query; plan.opt_Hf by the plain one
//
// planning/adjusted.h has the contract. No data is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/planning/adjusted.h"

namespace tacet {

using planning::adjusted_curve;
using planning::AdjustedPlan;
using planning::AdjustedQuestion;
using planning::plan_adjusted;

}  // namespace tacet
