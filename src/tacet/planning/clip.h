// tacet/planning/clip.h: where to clip normal rows, how to scale them before, and the error of
// their sum.
//
//   ClipPlan plan = *plan_clip({.sd = {0.5, 2, 10}, .n = 10000});
//   plan.error;         // 7706.5: the factors of Lemma 3.1
//   plan.best_error;    // 7024.1: the factors of the least error
//
// Rows x are multiplied by a public map, clipped to a length C, summed, given Gaussian noise of
// standard deviation 2 C sigma_opt in every coordinate, and mapped back. C is the length that a
// share gamma of the rows exceeds, one in n if nothing else is asked for. An error is the expected
// squared error of the sum over sigma_opt^2, the variance of the noise for sensitivity 1. Clipping
// is part of the mechanism, so the sum is private for any rows. Only its accuracy depends on normal
// rows.
//
//   lemma       column j times b_j = 1/sqrt(sd_j sum sd) (Aggregation, Lemma 3.1). The lemma holds
//               C fixed while it chooses b, but C depends on b.
//   isotropic   rows as they are
//   whitened    rows times S^-1/2
//   best        the least error among all linear maps: principal axis j of S, with the standard
//               deviation s_j, times sqrt(w_j)/s_j. The w_j minimise q(w) sum s_j^2/w_j, where q(w)
//               is the upper gamma quantile of the sum of w_j chi-square variables. They add up to
//               1, so C is in units of the root mean square length of the mapped rows.
//
// Theorem  log q(w) + log sum s_j^2/w_j is convex in log w, so the minimum is the only one;
//          principal axes are best by von Neumann's inequality for traces.
//          docs/explanation/clipping_normal_rows.md has the proofs.
// Domain   1 to 10^6 standard deviations from 1e-30 to 1e30, or a covariance of 1 to 64 columns,
//          positive definite; 2 <= n <= 10^15; 1e-15 <= gamma <= 0.5. Outside: InvalidArgument.
// Error    relative 10^-10. `best`: within 10^-9 of the least error for up to 64 different standard
//          deviations; 10^-3 for up to 1000 (a saddle point approximates the gradient); beyond, the
//          best of lemma, isotropic and whitened.
// Cost     ten quantiles and gradients: 1 ms for 3 columns, 50 ms for 64.
// Checked  tests/planning/clip_test.cc: independent values, and a search of other factors and maps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"

namespace tacet::planning {

struct ClipQuestion {
  std::vector<double> sd = {};                        // of independent columns; or:
  std::optional<mechanisms::Matrix> covariance = {};  // of columns that may be correlated
  std::int64_t n = 0;
  std::optional<double> gamma = {};   // the share of rows to clip; empty: 1/n
  std::optional<double> radius = {};  // in place of gamma: C over the root mean square length
  std::vector<double> offset = {};    // the mean of the rows less the public centre; empty: 0
};

struct ClipPlan {
  double gamma;                 // the share of rows that is clipped, with `best`
  std::vector<double> factors;  // b of Lemma 3.1
  double clip, error;           // of Lemma 3.1
  double isotropic_clip, isotropic_error;
  double whitened_clip, whitened_error;
  std::vector<double> best_factors;  // sqrt(w_j)/s_j, for each column or principal axis
  mechanisms::Matrix best_map;       // of a covariance: a line for each principal axis; otherwise 0 x 0
  double best_clip, best_error;
  /// Bounds on `error`, for independent columns with the mean at the centre: Theorem 6 where its
  /// condition holds, and with C by Chebyshev's inequality (section 3.1).
  std::optional<double> bernstein_error, chebyshev_error;
};

Result<ClipPlan> plan_clip(const ClipQuestion& question);
/// Independent columns, clipped for one in n.
Result<ClipPlan> plan_clip(std::span<const double> standard_deviations, std::int64_t n);

}  // namespace tacet::planning
