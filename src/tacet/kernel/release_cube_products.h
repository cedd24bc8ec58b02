// tacet/kernel/release_cube_products.h: sums and second moments meet randomness under one pure epsilon: K-norm noise for what stands before
// the products of a stretch (a count, sums), Laplace noise for the products.
//
//   CubeProductsPlan plan = *mechanisms::plan_cube_products(box, {0.9, 0.025, 0.05, 0.025}, loss);   // two columns: 0.9 of epsilon for the cube
//   Released<NoisyCubeProducts> out = *release_cube_products(std::move(moments), plan, std::move(grant), bits);
//   out.value().value(3);                                                                             // in its own unit, in the order of the box
//
// A cube is what one person changes in the sums, so that one draw serves them all (release_k_norm.h); in the products one changes
// less together than in each, which Laplace noise knows and a cube does not (outer_products.h). Each part keeps its own noise, one grant pays.
// Theorem  the cube keeps epsilon_1, the products keep epsilon_2 (the theorems of release_k_norm.h and release_numbers.h, with the stretches that
//          one person touches), their draws are independent, and epsilon_1 + epsilon_2 <= epsilon, so that both together keep epsilon
//          (basic composition, Dwork et al. 2006): proven before noise is drawn (kernel/scale_check.h). mu and rho: by an epsilon that
//          implies them.
// Domain   1 to 64 columns; as release_k_norm.h for the cube and release_numbers.h for the products.
// Cost     that of its parts: one draw of K-norm noise for a stretch, and one Laplace draw for a product.
// Timing   varies with the draws; see docs/explanation/threats.md.
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
  double cube_epsilon, products_epsilon;  // what the parts are meant to spend
  CubePlan cube;                          // of what stands before the products, stretch by stretch
  NumbersPlan products;                   // of the products, stretch by stretch
  std::size_t stretch;                    // figures of a stretch, of either kind

  std::size_t before() const { return cube.stretch; }
  std::size_t size() const { return cube.multiples.size() + products.scale.size(); }
  /// Figure j of the box: is it a product? Where does it stand among those of its kind?
  bool is_product(std::size_t j) const { return j % stretch >= before(); }
  std::size_t place(std::size_t j) const;
  /// The scale of its noise, in its own unit.
  double scale_of(std::size_t j) const;
};

struct NoisyCubeProducts {
  std::vector<Int128> ticks;  // all figures in the order of the box, each in units of its part of the plan
  CubeProductsPlan plan;
  Relation relation;
  privacy::Loss loss;
  Receipt receipt;

  /// Figure j in its own unit, as a double within 2 ulps.
  double value(std::size_t j) const;
};

/// Fails before drawing if the grant is spent or does not pay for this noise, and with EntropyUnavailable if `bits` fails.
Result<Released<NoisyCubeProducts>> release_cube_products(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic,
                                                          const CubeProductsPlan& plan, Grant&& grant, exact::RandomBits& bits);

}  // namespace tacet::kernel
