// tacet/data/row_filter.h: which rows count, decided by each row alone.
//
//   RowFilter older{{{"age", {*Decimal::parse("40")}, {0, 1, 1, 0}}}, {0}};   // age >= 40
//   ClassTest test = older.tests[0];
//   older.depth();                                     // 1; nothing for a filter that is misshapen
//
// A test sorts the values of a column into classes and accepts some of them. The classes of a
// category are its cells. Those of a number follow from cuts: below the first cut, equal to it,
// between it and the second, ..., above the last, and missing. A formula combines the tests.
// schemas/row_condition.h writes filters for people.
// Theorem  A row that is not accepted is as if it were not there. So a filter does not increase
//          what one person can change, whatever it accepts; but the number of rows is private.
// Domain   at most 64 tests and 256 steps.          Error    none: integers and comparisons.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/decimal.h"

namespace tacet::data {

struct ClassTest {
  std::string column;
  std::vector<Decimal> cuts{};          // of a number, increasing; none: of categories
  std::vector<std::uint8_t> accepts{};  // 1 for each accepted class

  friend bool operator==(const ClassTest&, const ClassTest&) = default;
};

struct RowFilter {
  static constexpr std::int32_t kAnd = -1, kOr = -2;

  std::vector<ClassTest> tests{};
  std::vector<std::int32_t> steps{};  // the formula in postfix order: a test by its number, kAnd, kOr

  /// The largest number of operands that wait for a step.
  std::optional<std::size_t> depth() const {
    constexpr std::size_t kMostTests = 64, kLongest = 256;
    std::size_t waiting = 0, most = 0;
    if (tests.size() > kMostTests || steps.size() > kLongest) return std::nullopt;
    for (const std::int32_t step : steps) {
      const bool operand = step >= 0 && static_cast<std::size_t>(step) < tests.size();
      if (!operand && ((step != kAnd && step != kOr) || waiting < 2)) return std::nullopt;
      operand ? ++waiting : --waiting;
      most = std::max(most, waiting);
    }
    return waiting == 1 ? std::optional(most) : std::nullopt;
  }
  friend bool operator==(const RowFilter&, const RowFilter&) = default;
};

}  // namespace tacet::data
