// tacet/planning/noise_crossing.h: the privacy from which Laplace noise has less error than
// Gaussian noise.
//
//   double counts = noise_crossing_mu(CrossingRule::Table, /*l1_over_l2=*/std::sqrt(2));   // 3.687
//   double same = noise_crossing_rho(CrossingRule::Table, std::sqrt(2));                   // 3.269
//
// Both mechanisms add independent noise of one scale to every number, so neither the table nor its
// size matters. Below the crossing Gaussian noise has the smaller expected squared error, above it
// Laplace noise.
//
//   Table      counts under replace-one, with the sharp scale (Lee, (17) and Figure 6)
//   FromL1     the scale of one number (Lee, Theorem 11 and Figure 4); proven in mu for one or two
//              numbers
//   Universal  the scale for any statistic (Lee, (12) and Figure 6)
//
// Theorem  Gaussian noise has the variance l2^2/mu^2 = l2^2/(2 rho), Laplace noise 2 b^2. FromL1: b
//          = l1/(-2 log(2 Phi(-mu/2))). Universal: b = l1/log(Phi(mu/2)/Phi(-mu/2)). Table: b =
//          1/mu at the crossing, so epsilon is 2 mu. In rho: rho = h(l1/b) with h(x) = x + e^-x -
//          1, of a table 2 h(l1/(2b)).
// Domain   l1_over_l2 from 1 to 10^6; Table: sqrt(2). Otherwise the result is meaningless.
// Error    relative 10^-12.
// Cost     100 logarithms of a normal tail.
// Checked  tests/planning/noise_crossing_test.cc: independent values, and the proven scales on both
//          sides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tacet/base/enum_names.h"

namespace tacet::planning {

enum class CrossingRule : std::uint8_t { Table, FromL1, Universal };
constexpr auto names_of(CrossingRule) {
  return std::to_array<Named<CrossingRule>>(
      {{CrossingRule::Table, "table"}, {CrossingRule::FromL1, "from-l1"}, {CrossingRule::Universal, "universal"}});
}

double noise_crossing_mu(CrossingRule rule, double l1_over_l2);
/// FromL1 and Universal are the same in rho, and proven for any statistic.
double noise_crossing_rho(CrossingRule rule, double l1_over_l2);

}  // namespace tacet::planning
