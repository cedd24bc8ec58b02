// tacet/kernel/release_numbers.h: adds noise to sums and moments, by one of three plans.
//
//   NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Gaussian, box, weights, loss);
//   Released<NoisyNumbers> out = *release(std::move(sums), plan, std::move(grant), bits);
//
// As kernel/release.h, for exact integers of any size with a bound per coordinate, or a norm. A
// plan divides the loss among the coordinates. It affects accuracy only: kernel/scale_check.h
// proves that the noise is enough.
//   NumbersPlan        Gaussian or Laplace noise, each coordinate with a scale of its own
//   CubePlan           pure epsilon: one draw of K-norm noise for all coordinates of a stretch
//   CubeProductsPlan   pure epsilon: K-norm noise for counts and sums, Laplace noise for products
// Timing   varies with the draws; see docs/explanation/threats.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

/// y_j = x_j 2^k_j + round(2^k_j s_j Z_j), in ticks of 2^-k_j of coordinate j's own unit. If one
/// person touches only some stretches (BoxSensitivity::touched), only these share the loss. If the
/// last values of a stretch are all products of several columns (outer_products) and a row is
/// replaced, less noise is enough (kernel/outer_products.h): for many symmetric columns 1/2
/// (Laplace) or 1/sqrt 2 (Gaussian).
/// Theorem  that of check_scales for boxes and norms. Rounding is post-processing.
/// Domain   2^-40 <= s_j <= 2^60; 1 to 10^6 coordinates; most_j 2^k_j <= 2^80 (fits 2^45 rows).
/// Checked  tests/kernel/release_numbers_test.cc, tests/privacy/numbers_audit_test.cc
struct NumbersPlan {
  NoiseFamily family;
  std::vector<double> scale;         // s_j, in units of coordinate j
  std::vector<int> grid_log2;        // k_j: the least k >= 0 with 2^-k <= s_j/1024
  std::vector<std::int64_t> root{};  // G of kernel/outer_products.h, for the products of each stretch
};

/// y_j = c_j x_j + z_j,  P[z] proportional to exp(-max_j |z_j| / s), with
/// s >= touched max_j(c_j most_j) / epsilon.
/// The plan chooses integers c_j such that all coordinates, in units of 1/c_j, have one bound: the
/// change lies in a cube, and one noise vector serves all d coordinates, with variance (d+1)(d+2)/3
/// instead of 2 d^2 for Laplace noise (exact/k_norm.h). Each stretch of the box has its own draw; a
/// person pays for each stretch that they touch.
/// Theorem  c_j x_j changes by at most c_j most_j. By the triangle inequality a probability of one
///          stretch changes by a factor of at most exp(max_j(c_j most_j)/s); the touched stretches
///          multiply to at most exp(epsilon) (Hardt & Talwar 2010). mu and rho: by an epsilon that
///          implies them (Lee et al. 2022, (12)).
/// Domain   stretches of 1 to 1024 coordinates, 10^6 altogether; s as in exact/k_norm.h.
/// Cost     as exact/k_norm.h, per stretch.
/// Checked  tests/kernel/release_k_norm_test.cc, tests/privacy/k_norm_audit_test.cc
struct CubePlan {
  Int128 scale;                   // s, in the common unit
  std::vector<Int128> multiples;  // c_j: the common units in one unit of coordinate j
  std::size_t stretch;            // coordinates per draw
};

/// The change of counts and sums lies in a cube; products change less together than each alone
/// (outer_products.h). One grant pays for both.
/// Theorem  The cube keeps epsilon_1, the products epsilon_2, the draws are independent, and
///          epsilon_1 + epsilon_2 <= epsilon (basic composition, Dwork et al. 2006);
///          kernel/scale_check.h proves it. mu and rho: by an epsilon that implies them.
/// Domain   1 to 64 columns, and that of both plans.
/// Checked  tests/kernel/release_cube_products_test.cc, tests/privacy/cube_products_audit_test.cc
struct CubeProductsPlan {
  double cube_epsilon, products_epsilon;  // the intended shares
  CubePlan cube;                          // counts and sums, stretch by stretch
  NumbersPlan products;                   // products, stretch by stretch
  std::size_t stretch;                    // values per stretch, of both kinds

  std::size_t before() const { return cube.stretch; }
  std::size_t size() const { return cube.multiples.size() + products.scale.size(); }
  /// Is value j of the box a product, and what is its index among the values of its kind?
  bool is_product(std::size_t j) const { return j % stretch >= before(); }
  std::size_t place(std::size_t j) const {
    const std::size_t group = j / stretch, within = j % stretch;
    return is_product(j) ? group * (stretch - before()) + within - before() : group * before() + within;
  }
};

using NoisyNumbers = Noisy<NumbersPlan>;            // in units of 2^-plan.grid_log2[j]
using NoisyCube = Noisy<CubePlan>;                  // in units of 1/plan.multiples[j]
using NoisyCubeProducts = Noisy<CubeProductsPlan>;  // in the order of the box

/// These fail as release() does (release.h).
using SealedBox = Sensitive<std::vector<Int128>, BoxSensitivity>;
Result<Released<NoisyNumbers>> release(SealedBox&& statistic, const NumbersPlan& plan, Grant&& grant, exact::RandomBits& bits);
Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits);
Result<Released<NoisyCube>> release_k_norm(SealedBox&& statistic, const CubePlan& plan, Grant&& grant, exact::RandomBits& bits);
Result<Released<NoisyCubeProducts>> release_cube_products(SealedBox&& statistic, const CubeProductsPlan& plan, Grant&& grant,
                                                          exact::RandomBits& bits);

}  // namespace tacet::kernel
