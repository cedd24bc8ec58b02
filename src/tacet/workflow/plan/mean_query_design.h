// tacet/workflow/plan/mean_query_design.h: the design of a release of means, for plans.
//
//   MeanQueryDesign design{.covariance = {2, 2, {400, 100, 100, 225}}, .loss = Rho(0.02)};
//   MeanTestPlan plan = *plan_mean_test({.design = design, .eta = {2, 1}, .n = 2000});
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/planning/mean_query_plan.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using mechanisms::Matrix;
using planning::MeanQuery;

/// A query for means to plan: what is known of a row, the query and its privacy.
struct MeanQueryDesign {
  Matrix covariance = {};  // public, of a row
  MeanQuery query = MeanQuery::Whitened;
  std::vector<double> range = {};          // upper - lower of each column; for Bounded
  std::optional<PrivacyAmount> loss = {};  // must be given: there is no default for privacy
};

/// The design for the functions of planning, with the loss in mu.
Result<planning::MeanPlan> mean_plan(const MeanQueryDesign& design);

/// The queries that can be compared: Bounded only with ranges.
std::vector<MeanQuery> comparable_queries(const MeanQueryDesign& design);

}  // namespace tacet
