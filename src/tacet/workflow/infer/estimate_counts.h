// tacet/workflow/infer/estimate_counts.h: estimates the true counts of a release, with intervals.
//
//   CountEstimate e = *estimate_counts(table, {.project = Projection::Simplex});
//   e.values[3];                  // of the cell table.cell_name(3)
//   e.lower[3]; e.upper[3];       // all intervals hold together with probability 0.95
//   e.cost;                       // the expected sum of squared errors, with the meaning e.cost_is
//
// It reads no data and costs no privacy.
// Domain   0.5 <= confidence <= 1 - 1e-9; shrinkage for Gaussian noise; simplex for a public n.
// Error    inference/estimates/estimate.h.
// Cost     10^6 cells below 50 ms (bench/estimate_bench.cc).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet {

using inference::Bounds;
using inference::EstimateOptions;
using inference::IntervalKind;
using inference::Projection;
using inference::Shrinkage;
using mechanisms::CountRelease;
/// The estimated counts, with their intervals.
using CountEstimate = inference::Estimate;

/// Estimates the counts behind the noise.
inline Result<CountEstimate> estimate_counts(const CountRelease& release, const EstimateOptions& options = {}) {
  return inference::estimate(release, options);
}

}  // namespace tacet
