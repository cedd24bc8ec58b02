// tacet/kernel/release_numbers.h: sums and moments meet randomness: each coordinate with noise of its own scale.
//
// As kernel/release.h, for exact integers of any size whose sensitivity is a bound for each coordinate, or a Euclidean norm:
//
//   y_j = x_j 2^k_j + round(2^k_j s_j Z_j),     in ticks of 2^-k_j of coordinate j's own unit.
//
//   NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Gaussian, box, weights, loss);      // before charging: can it be done at all?
//   Released<NoisyNumbers> out = *release(std::move(sums), plan, std::move(grant), bits);
//
// The plan says how the figures share the loss. It decides about accuracy alone: that its noise is enough is proven before any is drawn
// (kernel/scale_check.h). Where one person touches only some stretches (BoxSensitivity::touched), these share the loss, and the others
// have it to themselves. Where the last figures of a stretch are all products of several columns (BoxSensitivity::outer_products) and a
// row is replaced, they move by less together than each by itself (kernel/outer_products.h): for many columns of symmetric range half the
// Laplace noise, and 1/sqrt 2 of the Gaussian noise, that the bounds alone would need.
// Theorem  that of check_scales for boxes and norms. Rounding is post-processing.
// Domain   2^-40 <= s_j <= 2^60; most_j 2^k_j <= 2^80, so that no file of fewer than 2^45 rows overflows; 1 to 10^6 coordinates.
// Timing   varies with the draws; see docs/explanation/threats.md.
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

/// A proposal: how much noise each coordinate gets, and on which grid.
struct NumbersPlan {
  NoiseFamily family;
  std::vector<double> scale;   // s_j, in units of coordinate j
  std::vector<int> grid_log2;  // k_j: the least k >= 0 with 2^-k <= s_j/1024
};

struct NoisyNumbers {
  std::vector<Int128> ticks;  // the values, in units of 2^-plan.grid_log2[j]
  NumbersPlan plan;
  Relation relation;
  privacy::Loss loss;
  Receipt receipt;

  /// Coordinate j in its own unit, as the nearest double.
  double value(std::size_t j) const;
};

/// Fails before drawing if the grant is spent or does not pay for this noise, and with EntropyUnavailable if `bits` fails.
Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits);
Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits);

}  // namespace tacet::kernel
