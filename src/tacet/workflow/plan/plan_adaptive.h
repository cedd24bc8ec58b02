// tacet/workflow/plan/plan_adaptive.h: how wide answers to adaptively chosen queries must be.
//
//   AdaptivePlan plan = *plan_adaptive({.n = 6400, .queries = 640, .beta = 0.05});
//   plan.best.width;      // 0.38204911: all answers lie this close to the population's means
//   plan.best.noise;      // 0.047256, the standard deviation of the noise of each answer
//
// No data is read, and nothing is spent. planning/adaptive_width.h has the rules and their sources.
// Domain, Error, Cost   as planning/adaptive_width.h; curves have 41 points each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/planning/adaptive_width.h"
#include "tacet/planning/split_width.h"
#include "tacet/workflow/context.h"

namespace tacet {

using planning::AdaptiveRule;
using planning::AdaptiveWidth;
using planning::AdaptiveWidths;
using planning::QueryKind;

/// What a curve of widths is drawn over.
enum class CurveOver : std::uint8_t { People, Queries };
constexpr auto names_of(CurveOver) { return std::to_array<Named<CurveOver>>({{CurveOver::People, "n"}, {CurveOver::Queries, "queries"}}); }

/// The queries, and what is known of them.
struct AdaptivePlanRequest {
  std::uint64_t n = 0, queries = 0;
  double beta = 0.05;  // some answer may lie outside with this probability
  QueryKind kind = QueryKind::Bounded;
  std::optional<double> sensitivity = {};  // of queries that are not means of values in [0, 1]
  std::optional<CurveOver> curve = {};
};

/// The widths of every rule at other numbers of people or of queries.
struct AdaptiveCurve {
  CurveOver over;
  std::vector<double> at;
  std::vector<AdaptiveWidths> widths;
};

/// The least width with its rule and noise, and those of every rule.
struct AdaptivePlan {
  AdaptivePlanRequest request;
  AdaptiveWidth best;
  AdaptiveWidths all;
  std::optional<planning::SplitWidths> split;  // nothing for queries that are not means
  std::optional<double> rho;                   // of all answers; nothing without Gaussian noise
  std::optional<AdaptiveCurve> curve;
};

/// The least width that holds for all queries together.
Result<AdaptivePlan> plan_adaptive(const AdaptivePlanRequest& request, const Context& context = {});

}  // namespace tacet
