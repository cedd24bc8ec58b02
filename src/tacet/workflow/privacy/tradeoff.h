// tacet/workflow/privacy/tradeoff.h: trade-off curves: how well a test can distinguish two
// neighbours.
//
//   const std::vector<TradeOff> curves = {*TradeOff::gaussian(1), *laplace_tradeoff({1, -1}, 2)};
//   CurveTable table = *tradeoff_table(curves, {0.05});
//   table.names[0];             // "Gaussian, mu 1"
//   table.beta[0][0];           // 0.7404890: the least type II error of a test of level 0.05
//   std::string csv = to_csv(*tradeoff_table({*TradeOff::gaussian(1)}, plotted_levels()));
//
// A higher curve is more private. accounting::compose() gives the curve of several releases
// together.
// Domain   1 or more curves that differ; levels from 0 to 1. Outside: InvalidArgument.
// Error    as of TradeOff::at (accounting/tradeoff.h).
// Cost     one evaluation per value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/accounting/tradeoff.h"
#include "tacet/accounting/tradeoff_table.h"
#include "tacet/base/result.h"

namespace tacet {

using accounting::CurveTable;
using accounting::to_csv;
using accounting::TradeOff;

/// Laplace noise of this scale on numbers that differ by `shift` between neighbours.
Result<TradeOff> laplace_tradeoff(std::vector<double> shift, double scale = 1);

/// Usual levels: 0.001 to 0.5.
std::vector<double> usual_levels();
/// 400 steps from 0 to 1, finer at both ends, where curves are steep.
std::vector<double> plotted_levels();

/// Every curve at every level, under the name that describes it. A curve must not be given twice.
Result<CurveTable> tradeoff_table(const std::vector<TradeOff>& curves, const std::vector<double>& levels = usual_levels());

}  // namespace tacet
