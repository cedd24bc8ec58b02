// tacet/workflow/session/bounded_rows.h: a question about bounded rows, as whole numbers to add up.
// Internal to this room.
//
//   TACET_TRY(const BoundedRows older,
//             bounded_rows(declared.schema(), {.fraction = "age >= 40"}));
//   older.request.weights;                 // for data::count
//
// A value counts in steps of 2^-20 of the range, from the middle of the range.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tacet/base/result.h"
#include "tacet/data/counts.h"
#include "tacet/schemas/expression/row_expression.h"
#include "tacet/workflow/session/session_terms.h"

namespace tacet {

inline constexpr std::int32_t kHalfSteps = 1 << 19;  // from the middle of the range to its ends

struct BoundedRows {
  schemas::CellNumbers query;
  data::CountRequest request;
  std::int64_t change;  // of the sum, at most, if a row is replaced

  double range() const { return query.highest - query.lowest; }
  double middle() const;
  /// The value of a step.
  double step() const { return range() / 2 / kHalfSteps; }
};

/// InvalidArgument if not exactly one of both is given, or it has no range; Unsupported if the
/// number of rows is private.
Result<BoundedRows> bounded_rows(const data::Schema& schema, const SessionAsk& question);
Status check_one_question(const SessionAsk& question);

}  // namespace tacet
