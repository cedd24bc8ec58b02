// tacet/planning/split_width.h: the width of answers that each come from rows of their own.
//
// The n rows are cut into k parts of m = n/k rows, and each query is answered from one part. The
// rows of a part were not looked at before its query was chosen, so adaptivity costs nothing.
//
//   SplitWidths split = *split_widths({.n = 10000, .queries = 100, .beta = 0.05});
//   split.bounded;       // 0.2036...: means of any values in [0, 1], by Hoeffding
//   split.proportion;    // 0.1784...: shares of rows, whatever the true share is
//   split.at_half;       // 0.17: shares of rows, if the true share is 1/2 (Rogers 3.5)
//
// Theorem  bounded: Hoeffding (1963), sqrt(log(2k/beta)/(2m)).
//          proportion: the least w for which no share p has P[X/m - p > w] > beta/(2k), X
//          binomial(m, p). The probability is largest just below p = c/m - w for a whole c, where
//          it is P[X >= c]; the worst c is searched.
//          at_half: Rogers 3.5 with its sum from j = 0: t/m - 1/2, t least with P[X > t] <=
//          beta/(2k) for p = 1/2. It is not a promise for other shares: at n = 10,000 and k = 100
//          the probability of an error just below p = 1/2 is 1.29 beta.
//          No width exceeds 1/2, which the answer 1/2 reaches without data. A width for fewer rows
//          in each part is also valid, so at_half is the least over smaller parts.
// Domain   as planning/adaptive_width.h.
// Error    relative 10^-11.
// Cost     below 10 ms.
// Checked  tests/planning/split_width_test.cc: sums of binomial probabilities, every p.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/planning/adaptive_width.h"

namespace tacet::planning {

struct SplitWidths {
  double rows;  // of each part
  double bounded, proportion, at_half;
};

Result<SplitWidths> split_widths(const AdaptiveQueries& queries);

/// The largest probability, over all shares p, that a share of m rows exceeds p by more than w.
double worst_excess(double m, double w);

}  // namespace tacet::planning
