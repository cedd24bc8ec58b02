// tacet/accounting/many_laplace.h: the trade-off curve of Laplace noise on many numbers, enclosed.
//
//   ManyLaplace many = many_laplace(std::vector<double>(50, 0.2));
//   TradeOff below = *TradeOff::collection(many.pairs);   // nowhere above the true curve
//   many.slack;                                           // and nowhere further below than this
//
// accounting/laplace_ratio.h has a closed form for up to ten numbers; its 2^n pieces are too many
// beyond. The pairs are proven upper bounds of delta at many epsilons.
// Theorem  delta(epsilon) is convex in x = e^epsilon, and the curve at alpha is the largest 1 -
//          delta - x alpha (Dong, Roth & Su 2022, section 2.4). So on each cell of x the chord of
//          the upper bounds is above delta, the continued chords of both neighbouring cells, of
//          lower bounds inside and upper bounds outside, are below it, and the largest distance
//          between them is the slack. Right of the fixed point both curves are mirrored, with
//          slopes of at most 1, so the distance is not larger there.
// Domain   at least one strictly positive size, with a sum of at most 700.
// Error    none beyond the slack: privacy_loss.h encloses delta. Beyond 12 different sizes they are
//          rounded to 12, up for the pairs and down for the slack: a larger shift is less private.
// Cost     a second per different size.
// Checked  tests/accounting/many_laplace_test.cc: against the closed form, and the exact sums of
//          equal shifts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tacet::accounting {

struct EpsilonDelta;

struct ManyLaplace {
  std::vector<EpsilonDelta> pairs;
  double slack;
};

ManyLaplace many_laplace(std::vector<double> sizes);

}  // namespace tacet::accounting
