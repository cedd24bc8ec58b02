// tacet/inference/estimates/shrink.h: James-Stein shrinkage of a noisy table: less squared error
// in total, for any truth.
//
//   none  y
//   js0   (1 - (p-2) s^2/|y|^2) y: towards 0, p >= 3                       (Lee, (8), Theorem 4)
//   js    m + (1 - (p-3) s^2/|y - m|^2) (y - m): towards the mean m of the cells, p >= 4
//                                                                          (Lee, (9), Theorem 5)
//   js+   the same with a factor of at least 0                             (Baranchik 1964)
//   rjs   keep the public total, then shrink the p-1 coordinates in Helmert's basis towards their
//         mean, p >= 5                                                     (Lee, (10), Theorem 6)
//
//   Shrunk shrunk = *shrink(release.values, release.noise, release.n, Shrinkage::TowardsMean);
//   shrunk.values;
//
// s is the standard deviation of the noise of a cell. rjs depends on the order of the cells
// (docs/explanation/denoising.md#rjs-without-helmerts-basis). With a target t, such as a past
// table, js, js+ and rjs shrink towards the nearest table a + b t: one coordinate fewer is shrunk,
// so js and js+ have p-4 for p-3 and need p >= 5. rjs has it in place of Helmert's line.
// Noise that keeps the total (rank-deficient) has p-1 dimensions about the known mean n/p. There
// js and js+ are the plain James-Stein estimator with the same factor (Lee, Lemma B.1), rjs is as
// above, and js0 is refused, because it has no proof.
// Theorem  For Gaussian noise, each has a smaller expected squared error than the table that it
//          starts from (for rjs, with the total kept), for every truth. Laplace noise is refused:
//          we know of no proof for these factors. Projections (project.h) suit any noise.
// Domain   Gaussian noise; values up to 1e100, scales 1e-100 to 1e100. A table within 1e-20 s of
//          its target, which has a probability below 1e-19, counts as the target itself.
// Error    relative 1e-13 of the distance to the target, and the rounding of the values.
// Cost     linear; 10^6 cells take 4 ms, rjs 15 (bench/estimate_bench.cc).
// Checked  tests/inference/shrink_test.cc: against the p x p matrices in long double; costs by
//          simulation in tests/planning.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/denoised_release.h"

namespace tacet::inference {

using mechanisms::Shrinkage;

/// The fewest cells at which this shrinkage is proven to help.
std::size_t fewest_cells(Shrinkage shrinkage, bool with_target = false);

/// values = target + factor * residual, and the numbers for its derivative
/// (inference/estimates/denoise.h).
struct Shrunk {
  std::vector<double> values;
  std::vector<double> line;     // of rjs, or of the target: of unit length, across 1; or empty
  double centre = 0;            // the mean of the cells; 0 for js0
  double along = 0;             // the position of the table along the line
  double residual_squared = 0;  // |residual|^2
  double factor = 1;
  /// The derivative of the factor along the residual, times |residual|: 2 (k-2) s^2/|residual|^2,
  /// or 0 if the factor is cut off.
  double slope = 0;

  /// The part of a cell of the released table that is not in the target.
  double residual(double released, std::size_t cell) const { return (released - centre) - (line.empty() ? 0 : along * line[cell]); }
};

/// `target` is empty or has a number for each cell. InvalidArgument if the shrinkage has no proof
/// for this noise or this number of cells, needs the total, or cannot use the target.
Result<Shrunk> shrink(std::span<const double> values, const mechanisms::NoiseDistribution& noise, std::optional<double> total,
                      Shrinkage shrinkage, std::span<const double> target = {});

/// h = U 1 for the Helmert basis U of p cells, |h|^2 = p - 1.
/// Theorem  Lee, section 4.1.
/// Domain   p >= 1.
/// Error    relative to |h|: 1e-15 log p.
/// Cost     linear.
/// Checked  tests/inference/shrink_test.cc
std::vector<double> helmert_line(std::size_t p);

}  // namespace tacet::inference
