// tacet/mechanisms/moment_noise.h: how sums and second moments share what is spent on them.
//
//   MomentFigures figures{.counts = false, .columns = 4, .products = true};
//   std::vector<double> weights = *moment_weights(figures, sizes, MomentGoal::Region, kernel::NoiseFamily::Gaussian);
//
// What one person moves figure j by counts as sizes[j] (charged_sizes in mechanisms/noise_plan.h), in the figure's own unit (of a sum: that of its column). The weights go to
// plan_numbers, which turns them into noise: whatever they are, the noise is enough, and they decide about accuracy alone.
//
//   Region        the smallest confidence region: equal weights, so that noise is proportional to size        (Adjusted, Theorem 2.1)
//   LeastSquares  within sums, and within products, the least sum of squared errors: weights sqrt(size)       (Aggregation, Theorem 5)
//   TwoSample     power of a later test of equal means (inference/means/equal_means.h): equal weights within a kind, and nearly all for the sums
//
// Region is the default of the verbs: noise is the same part of every column's range, and a change
// of units changes nothing. LeastSquares adds squares of grams to squares of years.
// Between the kinds, mu^2 is shared as 1 part for private counts, 3 for sums and 6 for products, of those that are there: a covariance
// needs both, and the products are noisier relative to what is made of them. For TwoSample 90 of 100 parts of mu^2, or 92 of epsilon, are for sums (and a
// private count, which has one of them); what is left is for the squares, whose sum says how much the rows vary, and for the products of two columns: 3 and 7 parts
// of mu^2, or 6 and 2 of epsilon (from eight columns on 7 and 1); with fewer than four columns no product of two has more than twice what a square has, since all products
// together would then need more noise (kernel/outer_products.h). A weight is the root of what its figure has of mu^2 (Gaussian noise), or what it has
// of epsilon (Laplace noise); the weights of LeastSquares and Region are those for mu^2 with either.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/kernel/release.h"

namespace tacet::mechanisms {

enum class MomentGoal : std::uint8_t { LeastSquares, Region, TwoSample };
constexpr auto names_of(MomentGoal) {
  return std::to_array<Named<MomentGoal>>(
      {{MomentGoal::Region, "region"}, {MomentGoal::LeastSquares, "least-squares"}, {MomentGoal::TwoSample, "two-sample"}});
}

/// What is published of one group, in this order: the count, the sums, the products.
struct MomentFigures {
  bool counts;
  std::size_t columns;
  bool products;

  std::size_t size() const { return (counts ? 1 : 0) + columns + (products ? columns * (columns + 1) / 2 : 0); }
};

/// Domain   as many sizes as figures, finite and greater than 0. Error  double arithmetic; privacy does not depend on it.  Cost  linear.
/// TwoSample needs products.
Result<std::vector<double>> moment_weights(const MomentFigures& figures, const std::vector<double>& sizes, MomentGoal goal,
                                           kernel::NoiseFamily family);

/// The same for plan_cube_products: first the weight of all that stands before the products, linear shares of epsilon.
Result<std::vector<double>> cube_product_weights(const MomentFigures& figures, const std::vector<double>& sizes, MomentGoal goal);

}  // namespace tacet::mechanisms
