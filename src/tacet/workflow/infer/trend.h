// tacet/workflow/infer/trend.h: tests whether a proportion rises or falls along an ordered column.
//
//   TrendAnswer t =
//       *infer_trend(table, {.of = *parse_event("disease=lung", "of"), .by = "smoking"});
//   t.p_value;
//   t.slope; t.population->lower;      // the change of the proportion for each unit of the scores
//
// A category that may be empty, such as an unused "other", is left out (told_categories.h), and so
// is the cell of missing numbers behind bins. It reads no data and costs no privacy.
// Domain   2 to 1000 categories; 1e-9 <= alpha <= 0.5.
// Error    inference/counts/trend.h.
// Cost     linear in the cells, and in the categories for each simulated table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/trend.h"
#include "tacet/workflow/infer/count_test.h"
#include "tacet/workflow/infer/table_event.h"

namespace tacet {

using inference::Interval;
using mechanisms::CountRelease;

/// Whose proportion, along which column, among whom.
struct TrendOptions {
  TableEvent of = {};
  std::string by = {};
  std::optional<TableEvent> given = {};
  // Of the categories of `by`, in their order, or of those that are not left out; empty: 1, 2, ...
  // A cell of missing numbers behind bins has none.
  std::vector<double> scores = {};
  double alpha = 0.05;
  Simulation simulation = {};
};

/// The test, with the slope of the line through the proportions.
struct TrendAnswer : CountTest {
  std::string of, by;
  std::optional<std::string> given = {};
  std::vector<std::string> categories = {};
  std::vector<std::string> left_out = {};  // those that may be empty, and missing numbers behind bins
  std::vector<double> scores = {};
  std::optional<double> slope = {};
  std::optional<Interval> file = {}, population = {};
  std::optional<std::string> interval_reason = {};
};

/// Does the proportion rise or fall?
Result<TrendAnswer> infer_trend(const CountRelease& release, const TrendOptions& options, const Context& context = {});

}  // namespace tacet
