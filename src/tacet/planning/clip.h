// tacet/planning/clip.h: where to clip vectors whose standard deviations are public, and what their sum will cost.
//
//   ClipPlan plan = *plan_clip({0.13, 2.52}, 80863);
//   plan.clip         4.266...: of each row times plan.factors; the row is inside with probability 1 - 1/n if it is normal
//   plan.error        512.8...: the expected squared error of the noisy sum, over the variance that Gaussian noise needs for sensitivity 1
//
// Rows are multiplied by b_j = 1/sqrt(sd_j sum sd), clipped to length `clip`, summed, given isotropic Gaussian noise, and divided by b again.
// Clipping is part of the mechanism, so that the sum is private whatever the rows are; only the accuracy rests on their being normal.
// Theorem  Aggregation, Theorem 5 and section 3: the b above minimise the error. ||x b||^2 is then a sum of sd_j/(sum sd) chi-square
//          variables; its upper 1/n quantile is clip^2, and the error is (2 clip)^2 (sum sd)^2. Bernstein: Theorem 6, where its condition
//          log n <= sum sd^2/(18 max sd^2) holds.
// Domain   1 to 10^6 standard deviations from 1e-30 to 1e30; 2 <= n <= 10^15. Outside: InvalidArgument.
// Error    relative 10^-11 (numeric/weighted_chi2.h).      Cost  one quantile.
// Checked  tests/planning/clip_test.cc: independent values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"

namespace tacet::planning {

struct ClipPlan {
  std::vector<double> factors;  // b
  double clip;
  double error;                           // over sigma_opt^2
  double isotropic_clip;                  // of the rows as they are
  double isotropic_error;                 // over sigma_opt^2
  std::optional<double> bernstein_error;  // the bound of Theorem 6; nothing where its condition fails
};

Result<ClipPlan> plan_clip(std::span<const double> standard_deviations, std::int64_t n);

}  // namespace tacet::planning
