// tacet/planning/clip.h: the clipping length of vectors with public standard deviations, and the
// error of their sum.
//
//   ClipPlan plan = *plan_clip(std::vector<double>{0.13, 2.52}, /*n=*/80863);
//   plan.clip;     // 4.266...: a normal row times plan.factors is longer with probability 1/n
//   plan.error;    // 512.8...: the expected squared error of the noisy sum, over sigma_opt^2
//
// sigma_opt^2 is the variance of Gaussian noise for sensitivity 1. Rows are multiplied by b_j =
// 1/sqrt(sd_j sum sd), clipped to length `clip`, summed, given independent Gaussian noise, and
// divided by b again. Clipping is part of the mechanism, so the sum is private for any rows. Only
// its accuracy depends on normal rows.
// Theorem  Aggregation, Theorem 5 and section 3: these b minimise the error. ||x b||^2 is a sum of
//          sd_j/(sum sd) chi-square variables; its upper 1/n quantile is clip^2, and the error is
//          (2 clip)^2 (sum sd)^2. Bernstein: Theorem 6, if log n <= sum sd^2/(18 max sd^2).
// Domain   1 to 10^6 standard deviations from 1e-30 to 1e30; 2 <= n <= 10^15. Outside:
//          InvalidArgument.
// Error    relative 10^-11 (numeric/weighted_chi2.h).
// Cost     one quantile.
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
  double isotropic_clip;                  // of rows that are not multiplied by b
  double isotropic_error;                 // over sigma_opt^2
  std::optional<double> bernstein_error;  // the bound of Theorem 6, if its condition holds
};

Result<ClipPlan> plan_clip(std::span<const double> standard_deviations, std::int64_t n);

}  // namespace tacet::planning
