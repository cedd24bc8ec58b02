// tacet/workflow/plan/plan_pvalue.h: the threshold for the p-value of a test that was chosen after
// a look at the data.
//
//   PValuePlan plan = *plan_pvalue({.n = 1000, .alpha = 0.05, .epsilon = 0.05});
//   plan.level.threshold;     // 0.00265...: reject below it, and the level is 0.05
//
// No data is read, and nothing is spent. accounting/max_information.h has the contract; its
// corrected_p_value corrects a p-value in place of the threshold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "tacet/accounting/max_information.h"
#include "tacet/base/result.h"

namespace tacet {

using accounting::corrected_p_value;
using accounting::CorrectedLevel;
using accounting::InformationRule;
using accounting::RowsAre;
using accounting::Selection;

/// What was told about the rows before the test was chosen: exactly one of epsilon (with or without
/// delta), rho, mu and bits.
struct PValuePlanRequest {
  std::uint64_t n = 0;
  double alpha = 0.05;
  std::optional<double> epsilon = {}, delta = {}, rho = {}, mu = {}, bits = {};
  RowsAre rows = RowsAre::Independent;
};

/// The threshold, and the selection that it is for.
struct PValuePlan {
  PValuePlanRequest request;
  Selection selection;
  CorrectedLevel level;
};

/// The largest threshold that keeps the level alpha.
Result<PValuePlan> plan_pvalue(const PValuePlanRequest& request);

}  // namespace tacet
