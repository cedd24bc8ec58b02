// tacet/mechanisms/moment_noise.h: how sums and second moments share the loss.
//
//   MomentNumbers numbers{.counts = false, .columns = 2, .products = false};
//   const std::vector<double> sizes = {60, 20};
//   auto weights = *moment_weights(numbers, sizes, MomentGoal::Region, NoiseFamily::Gaussian);
//
// sizes[j] is the change that one person makes in value j (charged_sizes of
// mechanisms/noise_plan.h), in the unit of the value. plan_numbers turns the weights into noise.
// The noise is enough for any weights; they affect accuracy only.
//
//   Region        the smallest confidence region: equal weights, so noise is proportional to size
//                 (Adjusted, Theorem 2.1)
//   LeastSquares  the least sum of squared errors, within sums and within products: weights
//                 sqrt(size) (Aggregation, Theorem 5)
//   Isotropic     the same noise in every unit, within sums and within products: weights
//                 proportional to size. The plain query that the papers improve upon
//   TwoSample     power of a later test of equal means (inference/means/equal_means.h): equal
//                 weights within a kind, and most of the loss for the sums
//
// Region is the default of the verbs: noise is the same part of every column's range, in any
// units. LeastSquares adds squares of grams to squares of years.
// docs/explanation/moments.md has the shares of counts, sums and products, and the reasons for
// them. A weight is the root of the share of mu^2 (Gaussian noise) or the share of epsilon
// (Laplace noise). LeastSquares and Region use the weights for mu^2 with either.
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

enum class MomentGoal : std::uint8_t { LeastSquares, Region, TwoSample, Isotropic };
constexpr auto names_of(MomentGoal) {
  using enum MomentGoal;
  return std::to_array<Named<MomentGoal>>(
      {{Region, "region"}, {LeastSquares, "least-squares"}, {TwoSample, "two-sample"}, {Isotropic, "isotropic"}});
}

/// The values that are published for one group, in this order: the count, the sums, the products.
struct MomentNumbers {
  bool counts;
  std::size_t columns;
  bool products;

  std::size_t size() const { return (counts ? 1 : 0) + columns + (products ? columns * (columns + 1) / 2 : 0); }
};

/// TwoSample needs products.
/// Domain   as many sizes as values, finite and greater than 0.
/// Error    double arithmetic; privacy does not depend on it.
/// Cost     linear.
Result<std::vector<double>> moment_weights(const MomentNumbers& numbers, const std::vector<double>& sizes, MomentGoal goal,
                                           kernel::NoiseFamily family);

/// `weights` with the shares of the sums replaced by weights of one's own: parts of mu (Gaussian
/// noise) or epsilon (Laplace noise), in any unit. The sums together keep their share.
/// Domain   one for each column, from 1e-30 to 1e30; no products. Otherwise InvalidArgument.
Result<std::vector<double>> with_own_weights(const MomentNumbers& numbers, std::vector<double> weights, const std::vector<double>& own);

/// The weights for plan_cube_products: first that of everything before the products; linear shares
/// of epsilon.
Result<std::vector<double>> cube_product_weights(const MomentNumbers& numbers, const std::vector<double>& sizes, MomentGoal goal);

}  // namespace tacet::mechanisms
