// tacet/planning/hardest_alternative.h: the deviation from given probabilities that is hardest to
// find.
//
//   std::vector<double> p = *hardest_alternative({0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6}, /*size=*/0.01);
//   p;                  // 0.51, 0.1633, 0.1633, 0.1633: that of Rogers, Figure 17
//
// Of all deviations of one Euclidean length it has the least noncentrality D' S^-1 D / n, for any
// noise, so the projected and the nonprojected test have the least power against it (Rogers 7.2.5).
// Theorem  S = diag(p) - p p' + t I on deviations with sum 0; D is an eigenvector of the largest
//          eigenvalue there, whatever t is. Of several one is taken: that of the lowest cells.
// Domain   2 to 1000 cells; size, the largest change of a probability, must leave all positive:
//          otherwise InvalidArgument with the largest size.
// Error    relative 1e-12.
// Cost     cubic in the cells.
// Checked  tests/planning/hardest_alternative_test.cc: no random deviation has less power.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"

namespace tacet::planning {

/// `null`: probabilities (inference::probabilities_of). The largest change is an increase.
Result<std::vector<double>> hardest_alternative(const std::vector<double>& null, double size);

}  // namespace tacet::planning
