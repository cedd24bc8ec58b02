// tacet/accounting/tradeoff_table.h: trade-off curves on one grid, as numbers and as CSV text.
//
//   CurveTable table = *tabulate({{"1-GDP", *TradeOff::gaussian(1)},
//                                 {"pure", *TradeOff::pure(0.8)}}, *alpha_grid(200));
//   std::string text = to_csv(table);      // alpha,1-GDP,pure
//
// Lee et al. (2022), Figures 2 and 3 are such tables; tests/accounting/tradeoff_table_test.cc
// makes both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/accounting/tradeoff.h"
#include "tacet/base/result.h"

namespace tacet::accounting {

struct NamedCurve {
  std::string name;
  TradeOff curve;
};

struct CurveTable {
  std::vector<std::string> names;
  std::vector<double> alpha;
  std::vector<std::vector<double>> beta;  // beta[i] holds curve i at every alpha
  std::vector<double> fixed_point;        // of each curve: the alpha at which beta is alpha
};

/// 0 to 1 in `cells` >= 2 steps, narrow at both ends where curves are steep: (1 - cos(pi
/// i/cells))/2.
Result<std::vector<double>> alpha_grid(std::size_t cells);

/// Every curve at every alpha.
/// Domain   at least one curve and one alpha, 0 <= alpha <= 1; names differ and are not empty.
/// Error    as TradeOff::at.     Cost  one evaluation per value.
/// Checked  tests/accounting/tradeoff_table_test.cc.
Result<CurveTable> tabulate(const std::vector<NamedCurve>& curves, const std::vector<double>& alphas);

/// RFC 4180, one line per alpha, with the shortest digits that read back as the same numbers.
std::string to_csv(const CurveTable& table);

}  // namespace tacet::accounting
