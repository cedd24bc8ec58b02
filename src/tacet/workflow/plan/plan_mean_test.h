// tacet/workflow/plan/plan_mean_test.h: the power of a test of noisy means, or the people for a
// power.
//
//   MeanQueryDesign design{.covariance = sigma, .loss = Rho(0.02)};
//   MeanTestPlan plan = *plan_mean_test({.design = design, .eta = {2, 1}, .power = 0.8});
//   plan.n;                             // the number of people needed
//   plan.powers[MeanQuery::Scaled];     // the power of another query with as many people
//   plan.people[MeanQuery::Whitened];   // the people that it would need
//
// If no query is asked for, the plan is for the one combination of the columns that distinguishes
// eta best: it has the most power among all queries of clipped linear maps of normal rows
// (planning/combination.h). No data is read, and nothing is spent.
// Domain   exactly one of n and power; as planning/mean_query_plan.h.
// Error, Cost   as planning/mean_query_plan.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/plan/mean_query_design.h"

namespace tacet {

using inference::MeanTarget;

/// The query, the mean to tell from 0, and the people or the power.
struct MeanTestPlanRequest {
  MeanQueryDesign design = {};
  std::vector<double> eta = {};         // the mean of the alternative; the null hypothesis is 0
  std::optional<std::uint64_t> n = {};  // the people; nothing: as many as the power needs
  std::optional<double> power = {};     // in place of n: the wanted power
  double alpha = 0.05;
  MeanTarget target = MeanTarget::Population;
  bool curves = false;  // the power by the number of people, too
};

/// The power by the number of people, for every query that can be compared.
struct MeanTestCurves {
  std::vector<double> people;
  std::map<MeanQuery, std::vector<double>> powers;
};

/// The power of the test, and the people it needs.
struct MeanTestPlan {
  double power;
  double n;
  bool n_was_found;  // for the wanted power; otherwise it was given
  double alpha;
  MeanQuery query;
  std::map<MeanQuery, double> powers;  // by every query that can be compared
  double mu;
  MeanTarget target;
  std::map<MeanQuery, double> people;  // that every query needs for the wanted power; or empty
  std::optional<double> clipped;       // the share of normal rows that the query clips
  std::optional<MeanTestCurves> curves;
};

/// The power of a test of a mean, or the people that a power needs.
Result<MeanTestPlan> plan_mean_test(const MeanTestPlanRequest& request, const Context& context = {});

}  // namespace tacet
