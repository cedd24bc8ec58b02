// tacet/workflow/infer/margin.h: the table of some columns of a release: people and proportions.
//
//   MarginAnswer m = *infer_margin(table, {.of = {"smoking"}, .given = {"disease"}});
//   m.rows[0].of;                     // "smoking=never"
//   m.rows[0].count;                  // people, with the interval m.rows[0].count_in
//   m.rows[0].estimate;               // the proportion among the people of m.rows[0].given
//
// Where a person may count several times there are intervals for the file alone. Cells of the other
// columns are added up, with their noise. Each interval holds with the confidence (marginal, the
// default), or all intervals of a kind hold together (simultaneous: each at the level alpha/k of
// Bonferroni). It reads no data and costs no privacy.
// Domain   1 to 10,000 rows, and at most 10^9 pairs of a row and a released cell; confidence as
//          proportion.h.
// Error    inference/counts/proportion.h. Counts: exact quantiles of the noise.
// Cost     linear in the pairs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/infer/proportion.h"

namespace tacet {

/// The columns of the table, and those among whose categories proportions are taken.
struct MarginOptions {
  std::vector<std::string> of = {}, given = {};
  double confidence = 0.95;
  IntervalKind intervals = IntervalKind::Marginal;
};

/// One cell of the table.
struct MarginRow : ProportionRow {
  double count = 0;         // people, or rows, estimated
  Interval count_in{0, 0};  // in the file
};

/// The table, the columns of `given` first, the last column fastest.
struct MarginAnswer {
  std::vector<MarginRow> rows;
  std::vector<std::string> of, given;
  std::vector<std::size_t> shape;
  double confidence = 0;
  IntervalKind intervals = IntervalKind::Marginal;
  AboutWhom about = {};
};

/// How many people, and which part of them, are in each category?
Result<MarginAnswer> infer_margin(const CountRelease& release, const MarginOptions& options);

}  // namespace tacet
