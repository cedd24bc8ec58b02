// tacet/kernel/release_numbers.h: adds noise to sums and moments, each with its own scale.
//
// As kernel/release.h, for exact integers of any size with a bound per coordinate, or a norm:
//   y_j = x_j 2^k_j + round(2^k_j s_j Z_j),     in ticks of 2^-k_j of coordinate j's own unit.
//
//   NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Gaussian, box, weights, loss);
//   Released<NoisyNumbers> out = *release(std::move(sums), plan, std::move(grant), bits);
//
// The plan divides the loss among the coordinates. It affects accuracy only: kernel/scale_check.h
// proves that the noise is enough. If one person touches only some stretches
// (BoxSensitivity::touched), only these share the loss. If the last values of a stretch are all
// products of several columns (outer_products) and a row is replaced, less noise is enough
// (kernel/outer_products.h): for many symmetric columns 1/2 (Laplace) or 1/sqrt 2 (Gaussian).
// Theorem  that of check_scales for boxes and norms. Rounding is post-processing.
// Domain   2^-40 <= s_j <= 2^60; 1 to 10^6 coordinates; most_j 2^k_j <= 2^80 (fits 2^45 rows).
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

/// A proposal: the noise of each coordinate and its grid.
struct NumbersPlan {
  NoiseFamily family;
  std::vector<double> scale;   // s_j, in units of coordinate j
  std::vector<int> grid_log2;  // k_j: the least k >= 0 with 2^-k <= s_j/1024
};

using NoisyNumbers = Noisy<NumbersPlan>;  // in units of 2^-plan.grid_log2[j]

/// Fails as release() does (release.h).
Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits);
Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits);

}  // namespace tacet::kernel
