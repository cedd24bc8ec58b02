// tacet/workflow/plan/plan_costs.h: ways to publish a table of counts, by their expected error.
//
//   const std::vector<double> past = {75, 149, 28, 175, 184, 190};
//   TableCosts costs = *plan_costs({.table = past, .loss = Mu(0.1)});
//   costs.ways[0].name;                // "rjs_simplex": the least expected sum of squared errors
//   costs.ways[0].cost;
//   costs.crossings[0].at;             // 3.687: the mu from which Laplace noise costs less
//
// The table is an assumption: a past one, a guess, or people spread evenly over the cells. No data
// is read.
// Domain   1 to 10^7 cells, counts 0 to 2^53; promises as planning/table_costs.h. Outside:
//          InvalidArgument.
// Error    exact costs 1e-12, relative; simulated ones have a standard error.
// Cost     about a tenth of a second for each simulated way, unless `trials` says otherwise; sampled
//          tables take a second or two.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/relation.h"
#include "tacet/planning/noise_crossing.h"
#include "tacet/planning/table_costs.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using kernel::Relation;
using planning::CrossingRule;
using planning::TableCost;
using planning::TableWay;

/// People spread evenly: an assumption if nothing is known. It favours shrinkage towards the mean.
struct EvenTable {
  std::uint64_t people, cells;
};

/// How far one person moves a statistic that is no plain table of counts.
struct StatisticNorms {
  double l1, l2;
};

/// A supposed table, and its privacy.
struct TableCostsRequest {
  std::variant<std::vector<double>, EvenTable> table;  // counts, or an even table
  PrivacyAmount loss;  // a pure epsilon: Laplace noise alone; with a delta: Gaussian noise for both, Laplace for epsilon
  std::optional<std::uint64_t> trials = {};  // of a simulated way; 0: none; nothing: see Cost
  std::uint64_t seed = 1;
  Relation::Kind neighbours = Relation::ReplaceOne;
  std::optional<StatisticNorms> norms = {};  // in place of neighbours
  bool sampled = false;                      // the table is drawn: its counts are those expected of its people
};

/// Where Laplace noise begins to cost less than Gaussian noise.
struct CostCrossing {
  CrossingRule rule;  // of the scale of Laplace noise
  bool proven;        // that this scale keeps the promise for this table
  double at;          // in the currency of the request: mu or rho
};

/// The expected squared error of every way to publish the table.
struct TableCosts {
  std::size_t cells;
  double people;
  std::optional<double> mu, rho, sigma;  // of Gaussian noise, if it can keep the promise; sigma: of a cell
  std::size_t trials;
  std::vector<TableCost> ways;          // the least cost first; Laplace noise only if it has a scale
  std::vector<CostCrossing> crossings;  // of a promise in mu or rho
};

/// What each way to publish a table costs in accuracy.
Result<TableCosts> plan_costs(const TableCostsRequest& request, const Context& context = {});

}  // namespace tacet
