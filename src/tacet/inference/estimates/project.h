// tacet/inference/estimates/project.h: the nearest possible table.
//
//   std::vector<double> x = project_onto_simplex({812.4, -3.1, 655}, 1468);   // x[i] >= 0
//
// The truth lies in a public convex set: counts are not negative, they sum to a public total, or
// they keep declared bounds. The step from a noisy table to the nearest point of that set never
// increases the distance to the truth, for any noise (Lee, Proposition 8, for bounds).
// Theorem  {x >= 0, sum x = total}: x_i = max(0, y_i - t) for exactly one t (Held, Wolfe & Crowder
//          1974; Duchi et al. 2008, Figure 1). Michelot's passes (1986) find t: take the mean
//          excess of the remaining cells, drop the cells below it, repeat. Each pass raises t
//          towards its limit and drops only cells whose x_i is 0; after kMostPasses the rest is
//          sorted.
// Domain   finite values, total finite and >= 0; otherwise the result is meaningless, not
//          undefined.
// Error    each x_i is wrong by at most (p/1024 + 300) 2^-53 total, and half an ulp of y_i.
//          Differences are taken from the largest value, so noise or offsets much larger than the
//          total do no harm.
// Cost     linear in practice, p log p at worst; 10^6 cells below 20 ms (bench/estimate_bench.cc).
//          In place if the values are moved in.
// Checked  tests/inference/project_test.cc: the conditions of Karush, Kuhn & Tucker on random
//          tables, ties and extremes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/denoised_release.h"

namespace tacet::inference {

using mechanisms::Projection;

/// Known bounds of every cell.
struct Bounds {
  double lower, upper;
};

/// The nearest point with nonnegative coordinates that sum to `total`.
std::vector<double> project_onto_simplex(std::vector<double> values, double total);

/// The public facts that project() needs: the total for the simplex, the bounds for bounds,
/// nothing for the others.
struct Possible {
  std::optional<double> total = {};
  std::optional<Bounds> bounds = {};
};
/// The nearest table of the projection. InvalidArgument if the simplex has no total, or if bounds
/// are missing, not used, or reversed.
Result<std::vector<double>> project(std::vector<double> values, Projection projection, const Possible& possible);

/// Replaces every value outside the bounds by the nearer bound; with {0, infinity}, the nearest
/// nonnegative table.
std::vector<double> project_onto_bounds(std::vector<double> values, Bounds bounds);

}  // namespace tacet::inference
