// tacet/inference/counts/stratified.h: tests two variables for independence within strata.
//
//   // Classes: stratum by stratum, row by row. Here 2 x 2 tables in 3 strata.
//   StratifiedTest t = *test_stratified(table, {.strata = 3, .rows = 2, .columns = 2},
//                                       {.alpha = 0.05});
//   t.test.p_value;
//   t.odds_ratio; t.population;       // of 2 x 2 tables: Mantel and Haenszel's common odds ratio
//
// The test is Cochran, Mantel and Haenszel's (generalised for r x c tables of unordered
// categories, without continuity correction), with the noise of the release in the covariance of
// the summed residuals. Its p-value is the chi-square limit if the noise is Gaussian and every cell
// expects 5 people, and otherwise simulated at the fitted margins of each stratum with the noise of
// the release. The interval of the odds ratio is normal for its logarithm: the variance of Robins,
// Breslow and Greenland (1986) plus that of the noise.
// Theorem  Mantel and Haenszel (1959), Landis, Heyman and Koch (1978). Residuals are linear in the
//          table at the null hypothesis, so covariances add.
// Domain   2 to 1000 strata, r x c from 2 x 2 to 100 cells; every class adds up as many released
//          cells; 10^-9 <= alpha <= 1/2.
// Error    no odds ratio unless both sums that it divides are at least 3 of their standard errors
//          from 0, and every stratum has people.
// Cost     cubic in (r - 1)(c - 1) for each draw.
// Checked  tests/inference/table_follow_up_test.cc: level, coverage, and values without noise.
// Derivation  docs/explanation/table_tests.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/inference/counts/collapsed_table.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/inference/counts/proportion.h"

namespace tacet::inference {

struct StrataShape {
  std::size_t strata, rows, columns;
};

struct StratifiedTest {
  GofTest test;
  std::optional<double> odds_ratio = {};
  std::optional<Interval> file = {}, population = {};
  std::optional<std::string> interval_reason = {};  // why a 2 x 2 table has no odds ratio
};

Result<StratifiedTest> test_stratified(const CollapsedTable& table, StrataShape shape, const GofOptions& options);

}  // namespace tacet::inference
