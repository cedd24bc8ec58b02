// tacet/inference/estimates/project.h: the nearest table that is possible.
//
// The truth lies in a convex set that everybody knows: counts are not negative, they sum to a public total, they keep declared bounds.
// Moving a noisy table to the nearest point of that set never moves it away from the truth, whatever the noise (Lee, Proposition 8, for
// bounds).
//
//   std::vector<double> x = project_onto_simplex(noisy, 1468);      // x[i] >= 0, and they sum to 1468
//
// Theorem  {x >= 0, sum x = total}: x_i = max(0, y_i - t) with the one t that makes the sum right (Held, Wolfe & Crowder 1974; Duchi et al.
//          2008, Figure 1). t is found by Michelot's passes (1986): take the mean excess of the cells still in play, drop the cells below
//          it, repeat. Each pass raises t towards its limit and drops only cells that are 0 in the end; after kMostPasses the rest is
//          sorted.
// Domain   finite values, total finite and >= 0; otherwise the result is meaningless, not undefined.
// Error    all differences are taken from the largest value, so that each x_i is wrong by at most (p/1024 + 300) 2^-53 total, and by half
//          an ulp of y_i: noise or offsets much larger than the total do not spoil it.
// Cost     linear in practice, p log p at worst; 10^6 cells below 20 ms (bench/estimate_bench.cc). In place where the values are moved in.
// Checked  tests/inference/project_test.cc: the conditions of Karush, Kuhn & Tucker on random tables, ties and extremes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"

namespace tacet::inference {

enum class Projection : std::uint8_t { None, Nonnegative, Simplex, Bounds };
constexpr auto names_of(Projection) {
  return std::to_array<Named<Projection>>({{Projection::None, "none"},
                                           {Projection::Nonnegative, "nonnegative"},
                                           {Projection::Simplex, "simplex"},
                                           {Projection::Bounds, "bounds"}});
}

/// What every cell is known to lie between.
struct Bounds {
  double lower, upper;
};

/// The nearest point with nonnegative coordinates that sum to `total`.
std::vector<double> project_onto_simplex(std::vector<double> values, double total);

/// What project() needs to know of the truth, for each projection: nothing, nothing, the total, the bounds.
struct Possible {
  std::optional<double> total = {};
  std::optional<Bounds> bounds = {};
};
/// The nearest table that the projection allows. InvalidArgument where the simplex has no total, bounds are missing, not wanted, or out of
/// order.
Result<std::vector<double>> project(std::vector<double> values, Projection projection, const Possible& possible);

/// Every value moved to the nearer end of the bounds where it lies outside; with {0, infinity}, the nearest nonnegative table.
std::vector<double> project_onto_bounds(std::vector<double> values, Bounds bounds);

}  // namespace tacet::inference
