// tacet/workflow/infer/mean_region.h: a confidence region for released means, and an interval for
// each of them.
//
//   MeanRelease release = *read_release_as<MomentRelease, QueryRelease>("moments.json");
//   MeanRegionAnswer answer =
//       *mean_region(release, {.means = {.target = MeanTarget::Population}});
//   answer.region->center;  answer.region->marginal.lower;
//   answer.reason;                                              // if there is no region
//
// With all_groups, the regions of all groups of the release hold together with the confidence: each
// one has its root of as many groups, because noise and people of groups are independent.
//
// Costs no privacy: a release is public.
// Domain   0.5 <= confidence <= 1 - 1e-9; 1 to 64 means.
// Error, Cost   as inference/means/mean_region.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_region.h"
#include "tacet/inference/means/shrunk_means.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/infer/mean_basis.h"

namespace tacet {

using inference::Intervals;
using inference::MeanRegion;
using inference::MeanShrinkage;
using inference::ShrinkTowards;
using inference::ShrunkMeans;

/// Which means, and the confidence.
struct MeanRegionRequest {
  MeanChoice means = {};
  double confidence = 0.95;
  bool all_groups = false;                      // the confidence is that of the regions of all groups together
  std::optional<MeanShrinkage> shrinkage = {};  // of the means of the data; beside the region
};

/// The region, or why there is none.
struct MeanRegionAnswer {
  MeanBasis basis;
  double confidence;                  // of this region
  std::optional<double> together;     // of the regions of all groups, if that was asked for
  std::optional<MeanRegion> region;   // empty: `reason` says why
  std::optional<std::string> reason;  // why there is no region
  std::optional<ShrunkMeans> shrunk;  // if it was asked for
};

/// A confidence region for means.
Result<MeanRegionAnswer> mean_region(const MeanRelease& release, const MeanRegionRequest& request, const Context& context = {});

}  // namespace tacet
