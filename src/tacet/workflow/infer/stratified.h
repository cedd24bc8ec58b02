// tacet/workflow/infer/stratified.h: tests two columns for independence within strata.
//
//   StratifiedAnswer s = *infer_stratified(
//       table, {.rows = "smoking", .columns = "disease", .strata = {"age_group"}});
//   s.p_value;
//   s.odds_ratio; s.population->lower;       // of 2 x 2 tables, common to all strata
//
// It reads no data and costs no privacy.
// Domain   tables of at most 100 cells in 2 to 1000 strata; 1e-9 <= alpha <= 0.5.
// Error    inference/counts/stratified.h.
// Cost     linear in the cells, and in the strata for each simulated table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/stratified.h"
#include "tacet/workflow/infer/count_test.h"
#include "tacet/workflow/infer/table_event.h"

namespace tacet {

using inference::Interval;
using mechanisms::CountRelease;

/// Two columns, and those whose categories are the strata.
struct StratifiedOptions {
  std::string rows = {}, columns = {};
  std::vector<std::string> strata = {};
  double alpha = 0.05;
  Simulation simulation = {};
};

/// The test, with the common odds ratio of 2 x 2 tables.
struct StratifiedAnswer : CountTest {
  std::string rows, columns;
  std::vector<std::string> strata = {};
  std::vector<std::string> row_labels = {}, column_labels = {};
  std::optional<double> odds_ratio = {};
  std::optional<Interval> file = {}, population = {};
  std::optional<std::string> interval_reason = {};
  std::vector<std::string> left_out = {};  // categories and strata that may be empty: told_categories.h
};

/// Do two columns depend on each other, other things being equal?
Result<StratifiedAnswer> infer_stratified(const CountRelease& release, const StratifiedOptions& options, const Context& context = {});

}  // namespace tacet
