// tacet/mechanisms/moment_noise.h: how sums and second moments share what is spent on them.
//
//   MomentFigures figures{.counts = false, .columns = 4, .products = true};
//   std::vector<double> weights = *moment_weights(figures, sizes, MomentGoal::LeastSquares);
//
// What one person moves figure j by counts as sizes[j] (kernel::charged_sizes), in the figure's own unit (of a sum: that of its column). The weights go to
// kernel::plan_numbers, which turns them into noise: whatever they are, the noise is enough, and they decide about accuracy alone.
//
//   LeastSquares  within sums, and within products, the least sum of squared errors: weights sqrt(size)       (Aggregation, Theorem 5)
//   Region        the smallest confidence region: equal weights, so that noise is proportional to size        (Adjusted, Theorem 2.1)
//
// Between the kinds, mu^2 is shared as 1 part for private counts, 3 for sums and 6 for products, of those that are there: a covariance
// needs both, and the products are noisier relative to what is made of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"

namespace tacet::mechanisms {

enum class MomentGoal : std::uint8_t { LeastSquares, Region };
Result<MomentGoal> moment_goal_named(std::string_view name);  // "least-squares", "region"
std::string_view name(MomentGoal goal);

/// What is published of one group, in this order: the count, the sums, the products.
struct MomentFigures {
  bool counts;
  std::size_t columns;
  bool products;

  std::size_t size() const { return (counts ? 1 : 0) + columns + (products ? columns * (columns + 1) / 2 : 0); }
};

/// Domain   as many sizes as figures, finite and greater than 0. Error  double arithmetic; privacy does not depend on it.  Cost  linear.
Result<std::vector<double>> moment_weights(const MomentFigures& figures, const std::vector<double>& sizes, MomentGoal goal);

}  // namespace tacet::mechanisms
