// tacet/inference/estimates/shrink.h: James-Stein shrinkage of a noisy table: less squared error in total, for any truth, and free.
//
//   none  y
//   js0   (1 - (p-2) s^2/|y|^2) y                               towards 0, p >= 3                        (Lee, (8), Theorem 4)
//   js    m + (1 - (p-3) s^2/|y - m|^2) (y - m)                 towards the mean m of the cells, p >= 4  (Lee, (9), Theorem 5)
//   js+   the same with the factor cut off at 0                                                          (Baranchik 1964)
//   rjs   keep the public total, then shrink the p-1 coordinates in Helmert's basis towards their mean,
//         p >= 5                                                                                         (Lee, (10), Theorem 6)
//
//   Shrunk shrunk = *shrink(values, law, n, Shrinkage::TowardsMean);
//   shrunk.values;
//
// s is the standard deviation of the noise of a cell. Helmert's basis is never formed: with U its p x (p-1) matrix, shrinking U'y towards
// the mean of its coordinates is shrinking y, once it has its total, towards the line along h = U 1. h_1 = r_2 + ... + r_p and h_i =
// r_(i+1) + ... + r_p - (i-1) r_i with r_k = 1/sqrt(k (k-1)): about log(p/i) - 1, so that rjs depends on the order of the cells.
//
// Noise that keeps the total already (rank-deficient) has p-1 dimensions about the known mean n/p, in which js and js+ are the plain
// James-Stein estimator with the same factor (Lee, Lemma B.1), and rjs is as above; js0 has no proof there, and is refused.
// Theorem  Each has a smaller expected squared error than the table that it starts from (the total kept, for rjs), for every truth: for
//          Gaussian noise. For Laplace noise we know of no proof that these factors dominate, so that they are refused; projections
//          (project.h) serve any noise.
// Domain   Gaussian noise; values up to 1e100, scales 1e-100 to 1e100. A table nearer to its target than 1e-20 s, which noise leaves with a
//          probability below 1e-19, is taken for the target itself.
// Error    relative 1e-13 of the distance to the target, and the rounding of the values.
// Cost     linear; 10^6 cells take 4 ms, rjs 15 (bench/estimate_bench.cc).
// Checked  tests/inference/shrink_test.cc: against the p x p matrices in long double; costs by simulation in tests/planning.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

enum class Shrinkage : std::uint8_t { None, TowardsZero, TowardsMean, PositivePart, RankDeficient };
constexpr auto names_of(Shrinkage) {
  return std::to_array<Named<Shrinkage>>({{Shrinkage::None, "none"},
                                          {Shrinkage::TowardsZero, "js0"},
                                          {Shrinkage::TowardsMean, "js"},
                                          {Shrinkage::PositivePart, "js+"},
                                          {Shrinkage::RankDeficient, "rjs"}});
}

/// The fewest cells at which this shrinkage is proven to help.
std::size_t fewest_cells(Shrinkage shrinkage);

/// values = target + factor * residual, and what the derivative of that needs (inference/estimates/denoise.h).
struct Shrunk {
  std::vector<double> values;
  std::vector<double> line;     // of unit length: the line towards which rjs shrinks; empty for the others
  double centre = 0;            // the mean of the cells; 0 for js0
  double along = 0;             // how far along the line the table lies
  double residual_squared = 0;  // |residual|^2
  double factor = 1;
  double slope =
      0;  // the derivative of the factor along the residual, times |residual|: 2 (k-2) s^2/|residual|^2, and 0 where it is cut off

  /// What a cell of the released table has beyond the target.
  double residual(double released, std::size_t cell) const { return (released - centre) - (line.empty() ? 0 : along * line[cell]); }
};

/// InvalidArgument where the shrinkage is not proven for this noise, this number of cells, or without the total.
Result<Shrunk> shrink(std::span<const double> values, const mechanisms::NoiseDistribution& law, std::optional<double> total,
                      Shrinkage shrinkage);

/// h = U 1 for the Helmert basis U of p cells, |h|^2 = p - 1.
/// Theorem  Lee, section 4.1.       Domain  p >= 1.       Error  relative to |h|: 1e-15 log p.
/// Cost     linear.                 Checked  tests/inference/shrink_test.cc
std::vector<double> helmert_line(std::size_t p);

}  // namespace tacet::inference
