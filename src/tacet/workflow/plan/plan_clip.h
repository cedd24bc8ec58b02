// tacet/workflow/plan/plan_clip.h: where to clip rows with public standard deviations or a public
// covariance, and how to scale them before.
//
//   ClipPlan plan = *plan_clip({.sd = {0.5, 2, 10}, .n = 10000});
//   plan.best_clip;                    // 3.08888, of rows multiplied by plan.best_factors
//   plan.clip;                         // 3.51147, by Lemma 3.1
//
// planning/clip.h has the contract. No data is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/planning/clip.h"

namespace tacet {

using planning::ClipPlan;
using planning::ClipQuestion;
using planning::plan_clip;

}  // namespace tacet
