// tacet/workflow/plan/plan_region.h: the volume of a confidence region for means, or the people
// for a volume.
//
//   RegionPlan plan =
//       *plan_region({.design = {.covariance = sigma, .loss = Rho(0.02)}, .n = 2000});
//   plan.log_volume;
//   plan.log_volumes[MeanQuery::Scaled];     // by another query with as many people
//
// Volumes are logarithms, because that of many columns may exceed every double. No data is read,
// and nothing is spent.
// Domain   exactly one of n and volume; as planning/mean_query_plan.h.
// Error, Cost   as planning/mean_query_plan.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/plan/mean_query_design.h"

namespace tacet {

using inference::MeanTarget;

/// The query, and the people or the volume.
struct RegionPlanRequest {
  MeanQueryDesign design = {};
  std::optional<std::uint64_t> n = {};  // the people; nothing: as many as the volume needs
  std::optional<double> volume = {};    // in place of n: the wanted volume
  double confidence = 0.95;
  MeanTarget target = MeanTarget::Population;
};

/// The volume of the region, and the people it needs.
struct RegionPlan {
  double log_volume;
  double n;
  bool n_was_found;  // for the wanted volume; otherwise it was given
  double confidence;
  MeanTarget target;
  MeanQuery query;
  std::map<MeanQuery, double> log_volumes;  // by every query that can be compared and has one
  double mu;
  std::optional<double> clipped;  // the share of normal rows that the query clips
  /// With ranges: what weights gain for the data (planning/mean_query_plan.h).
  std::optional<planning::RangeGains> gains;
};

/// The volume of a confidence region, or the people that a volume needs.
Result<RegionPlan> plan_region(const RegionPlanRequest& request, const Context& context = {});

}  // namespace tacet
