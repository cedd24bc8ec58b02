// tacet/kernel/release_k_norm.h: adds one draw of K-norm noise to many bounded numbers.
//
// For exact integers whose coordinate j changes by at most most_j (BoxSensitivity), pure epsilon:
//   y_j = c_j x_j + z_j,  P[z] proportional to exp(-max_j |z_j| / s)
// with s >= touched max_j(c_j most_j) / epsilon.
//
//   CubePlan plan = *mechanisms::plan_k_norm(box, loss);
//   Released<NoisyCube> out = *release_k_norm(std::move(sums), plan, std::move(grant), bits);
//
// The plan chooses integers c_j such that all coordinates, in units of 1/c_j, have one bound: the
// change lies in a cube, and one noise vector serves all d coordinates, with variance (d+1)(d+2)/3
// instead of 2 d^2 for Laplace noise (exact/k_norm.h). Each stretch of the box has its own draw; a
// person pays for each stretch that they touch. kernel/scale_check.h proves s.
// Theorem  c_j x_j changes by at most c_j most_j. By the triangle inequality a probability of one
//          stretch changes by a factor of at most exp(max_j(c_j most_j)/s); the touched stretches
//          multiply to at most exp(epsilon) (Hardt & Talwar 2010). mu and rho: by an epsilon that
//          implies them (Lee et al. 2022, (12)).
// Domain   stretches of 1 to 1024 coordinates, 10^6 altogether; s as in exact/k_norm.h.
// Cost     as exact/k_norm.h, per stretch.     Timing  varies; see docs/explanation/threats.md.
// Checked  tests/kernel/release_k_norm_test.cc, tests/privacy/k_norm_audit_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

/// A proposal: the noise and its units.
struct CubePlan {
  Int128 scale;                   // s, in the common unit
  std::vector<Int128> multiples;  // c_j: the common units in one unit of coordinate j
  std::size_t stretch;            // coordinates per draw
};

using NoisyCube = Noisy<CubePlan>;  // in units of 1/plan.multiples[j]

/// Fails as release() does (release.h).
Result<Released<NoisyCube>> release_k_norm(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, const CubePlan& plan, Grant&& grant,
                                           exact::RandomBits& bits);

}  // namespace tacet::kernel
