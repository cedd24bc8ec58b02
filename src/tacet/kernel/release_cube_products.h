// tacet/kernel/release_cube_products.h: adds noise to sums and products under a pure epsilon.
//
//   CubeProductsPlan plan = *mechanisms::plan_cube_products(box, {0.9, 0.025, 0.05, 0.025}, loss);
//   auto out = *release_cube_products(std::move(sums), plan, std::move(grant), bits);
//
// The counts and sums of a stretch get one draw of K-norm noise, because their change lies in a
// cube (release_k_norm.h). The products get Laplace noise, which uses that they change less
// together than each alone (outer_products.h). One grant pays for both.
// Theorem  The cube keeps epsilon_1 (release_k_norm.h), the products epsilon_2
//          (release_numbers.h), the draws are independent, and epsilon_1 + epsilon_2 <= epsilon
//          (basic composition, Dwork et al. 2006); kernel/scale_check.h proves it. mu and rho: by
//          an epsilon that implies them.
// Domain   1 to 64 columns; release_k_norm.h (cube) and release_numbers.h (products).
// Cost     K-norm per stretch, Laplace per product.    Timing  see docs/explanation/threats.md.
// Checked  tests/kernel/release_cube_products_test.cc, tests/privacy/cube_products_audit_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/release_k_norm.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

/// A proposal.
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

using NoisyCubeProducts = Noisy<CubeProductsPlan>;  // in the order of the box

/// Fails as release() does (release.h).
Result<Released<NoisyCubeProducts>> release_cube_products(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic,
                                                          const CubeProductsPlan& plan, Grant&& grant, exact::RandomBits& bits);

}  // namespace tacet::kernel
