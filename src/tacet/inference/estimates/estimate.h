// tacet/inference/estimates/estimate.h: estimates of the true table from a release, with intervals
// that keep their level.
//
//   Estimate e = *estimate(
//       release, {.shrink = Shrinkage::PositivePart, .project = Projection::Simplex});
//   e.values[3]; e.lower[3]; e.upper[3];
//
// The intervals are for the true counts in the file and use the distribution of the noise alone.
// With probability at least `confidence` over the noise, all of them hold together (simultaneous,
// the default) or each one does (marginal). They have the released values as centres and exact
// quantiles of the rounded noise as widths. Then they are narrowed to the integers between 0 and n
// and to declared bounds; this keeps the level, because every true count is there.
// Shrinkage and projection do not change the intervals: a shrunk table is nearer to the truth as a
// whole, but no narrower interval around it is proven. So a shrunk value may lie outside its
// interval; the interval is the proven statement. Public sums of cells (known) take noise away
// (known_sums.h), and for Gaussian noise the intervals are as much narrower. All functions here are
// post-processing and cost no privacy.
// Theorem  Independent cells: the product of their levels. Sum-zero cells:
//          numeric/noise_quantile.h. Cells of a table with public sums are correlated: all
//          intervals hold together at least as often as independent ones (Sidak 1967). Shrinkage:
//          shrink.h. Projection onto a convex set that contains the truth never increases the
//          squared error.
// Domain   0.5 <= confidence <= 1 - 1e-9; nonnegative and simplex projections are for counts (the
//          latter needs n); shrinkage is for Gaussian noise.
// Cost     linear in the cells, in practice: 10^6 cells below 50 ms (bench/estimate_bench.cc).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/inference/estimates/known_sums.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

/// The confidence is that of all intervals together, or of each one.
enum class IntervalKind : std::uint8_t { Simultaneous, Marginal };
constexpr auto names_of(IntervalKind) {
  return std::to_array<Named<IntervalKind>>({{IntervalKind::Simultaneous, "simultaneous"}, {IntervalKind::Marginal, "marginal"}});
}

struct EstimateOptions {
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
  std::optional<Bounds> bounds = {};
  std::vector<double> target = {};   // of the shrinkage
  std::vector<KnownSum> known = {};  // public sums of the true table; without shrink and project
  double confidence = 0.95;
  IntervalKind intervals = IntervalKind::Simultaneous;
};

/// Exact for values as they were released; a bound after a projection; Stein's estimate, which is
/// right on average, after shrinkage.
enum class CostMeaning : std::uint8_t { Exact, UpperBound, UnbiasedEstimate };
constexpr auto names_of(CostMeaning) {
  return std::to_array<Named<CostMeaning>>(
      {{CostMeaning::Exact, "exact"}, {CostMeaning::UpperBound, "upper bound"}, {CostMeaning::UnbiasedEstimate, "unbiased estimate"}});
}

struct Estimate {
  std::vector<double> values;
  std::vector<double> lower, upper;
  double margin;  // half the width of the widest interval before it is narrowed to possible counts
  double cost;    // the expected sum of squared errors of `values`, with the meaning cost_is
  CostMeaning cost_is;
  double cost_bound;                    // the cost never exceeds this
  std::optional<double> unbiased_cost;  // for Gaussian noise
};

Result<Estimate> estimate(const mechanisms::CountRelease& release, const EstimateOptions& options);

/// Half the width of the intervals of a table with this noise, before they are narrowed to possible
/// counts. Exact also for noise on the integers, which has no grid.
double count_margin(const mechanisms::NoiseDistribution& noise, std::optional<double> grid, std::size_t cells, double alpha,
                    IntervalKind kind);

}  // namespace tacet::inference
