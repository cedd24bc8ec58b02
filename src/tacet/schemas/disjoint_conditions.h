// tacet/schemas/disjoint_conditions.h: whether two conditions can hold for the same row.
//
//   are_disjoint("arm = new", "arm = old and age >= 40");      // true: nobody is in both
//   are_disjoint("age < 40", "age >= 40");                      // true
//   are_disjoint("arm = new", "age >= 40");                     // false: perhaps somebody is
//
// Conditions as release files have them, in one spelling (row_condition.h), over the same schema.
// Each is read as tests joined by `and`; if a column has tests in both that exclude each other, no
// row satisfies both. Parts with `or`, `not` or parentheses are passed over, so false means
// "unknown".
// Domain   any text; what cannot be read is not disjoint from anything.
// Cost     linear, times the constants of a column.
// Checked  tests/schemas/disjoint_conditions_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tacet::schemas {

bool are_disjoint(std::string_view first, std::string_view second);

}  // namespace tacet::schemas
