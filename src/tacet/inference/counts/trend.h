// tacet/inference/counts/trend.h: does a proportion rise or fall with an ordered variable?
//
//   // Classes: the people with the event in each of k groups, then those without.
//   CollapsedTable table(release, std::vector<std::size_t>{0, 3, 1, 4, 2, 5}, 6);
//   TrendTest t = *test_trend(table, {1, 2, 3}, {.alpha = 0.05});
//   t.test.p_value;
//   t.slope; t.population->lower;     // the change of the proportion for each unit of the scores
//
// The test is Cochran and Armitage's, with the noise of the release in the variance of the score.
// Its p-value is the chi-square limit if the noise is Gaussian and every cell expects 5 people, and
// otherwise simulated at the fitted margins with the noise of the release. The slope is that of the
// least-squares line through the proportions. Its interval is Fieller's, so that noise in the
// spread of the scores counts too; it may be unbounded.
// Theorem  Cochran (1954), Armitage (1955). The score is linear in the table at the null
//          hypothesis, so its variance is that of sampling plus that of the noise.
// Domain   2 to 1000 groups, scores not all equal; 10^-9 <= alpha <= 1/2.
// Error    normal limits for the slope: no interval for the population unless 10 people have the
//          event and 10 have not.
// Cost     linear for each draw.
// Checked  tests/inference/table_follow_up_test.cc: level, coverage, and values without noise.
// Derivation  docs/explanation/table_tests.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/collapsed_table.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/inference/counts/proportion.h"

namespace tacet::inference {

struct TrendTest {
  GofTest test;
  std::optional<double> slope = {};
  std::optional<Interval> file = {}, population = {};  // empty: unbounded, or not known
  std::optional<std::string> interval_reason = {};     // why one of them is empty
};

/// InvalidArgument, naming "scores", unless there is a score for each group and two differ.
Result<TrendTest> test_trend(const CollapsedTable& table, const std::vector<double>& scores, const GofOptions& options);

}  // namespace tacet::inference
