// tacet/workflow/plan/mean_query_design.h: the design of a release of means, for plans.
//
//   MeanQueryDesign design{.covariance = Matrix{2, 2, {400, 100, 100, 225}}, .loss = Rho(0.02)};
//   MeanTestPlan plan = *plan_mean_test({.design = design, .eta = {2, 1}, .n = 2000});
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
  std::optional<Matrix> covariance = {};   // public, of a row; not needed for the data with ranges
  std::optional<MeanQuery> query = {};     // empty: the one that suits the plan
  std::vector<double> range = {};          // upper - lower of each column, for queries with ranges
  std::optional<PrivacyAmount> loss = {};  // must be given: there is no default for privacy
};

/// The design for the functions of planning, with the loss in mu.
Result<planning::MeanPlan> mean_plan(const MeanQueryDesign& design);

/// The purpose of a query: a region for the means, or a test against one alternative.
enum class MeanPurpose : std::uint8_t { Region, Test };

/// The queries that can be compared: some need a covariance, others ranges, and those of one
/// combination the population.
std::vector<MeanQuery> comparable_queries(const MeanQueryDesign& design, MeanPurpose purpose, bool population);
/// The query that was asked for. If none was: for a region Whitened, or Bounded without a
/// covariance; for a test Combination, or Column.
MeanQuery chosen_query(const MeanQueryDesign& design, MeanPurpose purpose, bool population);

}  // namespace tacet
