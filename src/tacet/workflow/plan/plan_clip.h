// tacet/workflow/plan/plan_clip.h: the clipping length of rows with public standard deviations.
//
//   ClipPlan plan = *plan_clip(std::vector<double>{0.5, 2, 10}, /*n=*/10000);
//   plan.clip;                         // 3.51147, of rows multiplied by plan.factors
//
// planning/clip.h has the contract. No data is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/planning/clip.h"

namespace tacet {

using planning::ClipPlan;
using planning::plan_clip;

}  // namespace tacet
