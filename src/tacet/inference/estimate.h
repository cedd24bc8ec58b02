// tacet/inference/estimate.h: what a Release says about the true table, with intervals that keep their level.
//
//   Estimate e = *estimate(release, {.project = Projection::Simplex});
//   e.values[3]; e.lower[3]; e.upper[3];
//
// The intervals are for the true counts in the file, from the noise law alone: with probability at least `confidence` over
// the noise, all of them hold together (simultaneous, the default) or each one does (marginal). They are computed from the
// unprojected values with exact quantiles of the rounded noise, and then narrowed to the integers between 0 and n, which
// every true count is: that costs no level. Everything here is post-processing and free.
// Theorem  Independent cells: the product of their levels. Sum-zero cells: numeric/noise_quantile.h. Projection onto a convex
//          set that holds the truth never increases the squared error.
// Domain   0.5 <= confidence <= 1 - 1e-9; nonnegative and simplex projections are for counts (the latter needs n).
// Cost     linear in the cells; n log n for the simplex.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/release_file.h"

namespace tacet::inference {

enum class Projection : std::uint8_t { None, Nonnegative, Simplex };
Result<Projection> projection_named(std::string_view name);
std::string_view name(Projection projection);

struct EstimateOptions {
  Projection project = Projection::None;
  double confidence = 0.95;
  bool simultaneous = true;
};

struct Estimate {
  std::vector<double> values;
  std::vector<double> lower, upper;
  double margin;       // half the width of every interval before it is narrowed to possible counts
  double cost;         // expected sum of squared errors of the unprojected values; projection makes it no larger
  bool cost_is_bound;  // true after a projection
};

Result<Estimate> estimate(const mechanisms::Release& release, const EstimateOptions& options);

/// The nearest point with nonnegative coordinates that sum to `total` (Duchi et al. 2008, Figure 1).
std::vector<double> project_onto_simplex(const std::vector<double>& values, double total);

}  // namespace tacet::inference
