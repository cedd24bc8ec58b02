// tacet/kernel/release_numbers.h: sums and moments meet randomness: each coordinate with noise of its own scale.
//
// As kernel/release.h, for exact integers of any size whose sensitivity is a bound for each coordinate, or a Euclidean norm:
//
//   y_j = x_j 2^k_j + round(2^k_j s_j Z_j),     in ticks of 2^-k_j of coordinate j's own unit.
//
//   NumbersPlan plan = *plan_numbers(NoiseFamily::Gaussian, box, weights, loss);       // before charging: can it be done at all?
//   Released<NoisyNumbers> out = *release(std::move(sums), NoiseFamily::Gaussian, weights, std::move(grant), bits);
//
// With a box, the weights of the coordinates of one stretch say how the loss is shared: coordinate j gets the part w_j^2 of mu^2 (Gaussian),
// or w_j of epsilon (Laplace). They are public and decide about accuracy alone; whatever they are, the noise is enough. Where one person
// touches only some stretches (BoxSensitivity::touched), these share the loss, and the others have it to themselves. Where the last figures
// of a stretch are all products of several columns (BoxSensitivity::outer_products) and a row is replaced, they move by less together than
// each by itself, and kernel/outer_products.h says how much noise is enough: for many columns of symmetric range half the Laplace noise, and
// 1/sqrt 2 of the Gaussian noise, that the bounds alone would need.
// Theorem  Gaussian: sum over the touched coordinates of (most_j/s_j)^2 <= mu^2 gives mu-GDP (privacy/calibration.h, calibrate_box), hence
//          mu^2/2-zCDP, and (epsilon, delta)-DP for the mu that allows it. Laplace: sum of most_j/s_j <= epsilon gives epsilon-DP, and
//          mu-GDP for the largest epsilon that implies it (Lee et al. 2022, (12)). Norm: s >= l2/mu. Rounding is post-processing. Products:
//          the theorem of kernel/outer_products.h, in place of most_j/s_j for each of them.
// Domain   2^-40 <= s_j <= 2^60; most_j 2^k_j <= 2^80, so that no file of fewer than 2^45 rows overflows; 1 to 10^6 coordinates.
// Error    s_j is never too small, and at most a relative 10^-12 above what the weights ask for.
// Timing   varies with the draws; see docs/threats.md.
// Checked  tests/kernel/release_numbers_test.cc, tests/privacy/numbers_audit_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

struct NumbersPlan {
  NoiseFamily family;
  std::vector<double> scale;   // s_j, in units of coordinate j
  std::vector<int> grid_log2;  // k_j: the least k >= 0 with 2^-k <= s_j/1024
};

/// `weights`: one for each coordinate of a stretch, greater than 0.
Result<NumbersPlan> plan_numbers(NoiseFamily family, const BoxSensitivity& box, const std::vector<double>& weights,
                                 const privacy::Loss& loss);
Result<NumbersPlan> plan_numbers(NoiseFamily family, const NormSensitivity& norm, std::size_t coordinates, const privacy::Loss& loss);

/// What each figure of the first stretch counts as, in its own unit, where the loss is shared: weights that suit a goal are made of these.
/// most_j, but for products that move together less than that.
std::vector<double> charged_sizes(NoiseFamily family, const BoxSensitivity& box);

struct NoisyNumbers {
  std::vector<Int128> ticks;  // the values, in units of 2^-plan.grid_log2[j]
  NumbersPlan plan;
  Relation relation;
  privacy::Loss loss;
  Receipt receipt;

  /// Coordinate j in its own unit, as the nearest double.
  double value(std::size_t j) const;
};

/// Fails before drawing if the grant is spent or does not pay for this family, and with EntropyUnavailable if `bits` fails.
Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, NoiseFamily family,
                                       const std::vector<double>& weights, Grant&& grant, exact::RandomBits& bits);
Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&& statistic, NoiseFamily family, Grant&& grant,
                                       exact::RandomBits& bits);

}  // namespace tacet::kernel
