// tacet/workflow/plan/homogeneity_plan.h: the power of a comparison of groups.
//
//   const Matrix groups{2, 3, {0.5, 0.3, 0.2, 0.45, 0.33, 0.22}};       // one group in each row
//   CountTestPlan plan = *plan_homogeneity(groups, {.loss = Rho(0.01), .power = 0.8});
//   plan.n;            // people needed in all groups together
//
// Each group has a release of its own with this loss, so nobody pays twice, and its number of
// people is public; or the groups are the categories of a column of one release (`one_release`),
// and their totals are noisy.
// Domain, Error, Cost: count_plan.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/workflow/plan/count_plan.h"

namespace tacet {

using mechanisms::Matrix;

/// How the people are shared among the groups, and what is released.
struct GroupsPlan {
  std::optional<std::vector<double>> shares = {};  // of the people, in any unit; nothing: equal
  bool one_release = false;
};

/// `alternative` has the probabilities of one group in each row.
Result<CountTestPlan> plan_homogeneity(const Matrix& alternative, const CountPlanOptions& options, const GroupsPlan& groups = {},
                                       const Context& context = {});

}  // namespace tacet
