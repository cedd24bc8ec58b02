// tacet/kernel/release_k_norm.h: numbers with bounds of their own meet randomness: one draw of K-norm noise for all of them.
//
// For exact integers of which coordinate j moves by at most most_j (BoxSensitivity), under a pure epsilon:
//
//   y_j = c_j x_j + z_j,    P[z] proportional to exp(-max_j |z_j| / s),    s >= touched max_j(c_j most_j) / epsilon.
//
//   CubePlan plan = *mechanisms::plan_k_norm(box, loss);                                  // before charging: can it be done at all?
//   Released<NoisyCube> out = *release_k_norm(std::move(sums), plan, std::move(grant), bits);
//   out.value().value(3);                                                                // in its own unit
//
// The plan chooses the integers c_j so that in units of 1/c_j no coordinate moves by more than a common bound: the change lies in a cube, and
// noise that follows the largest coordinate is enough for all of them at once: with d coordinates a variance of (d+1)(d+2)/3 where Laplace
// noise has 2 d^2 (exact/k_norm.h). Each stretch of the box has a draw of its own; a person who touches several spends a part in each.
// That s is large enough is proven before noise is drawn (kernel/scale_check.h).
// Theorem  c_j x_j moves by at most c_j most_j. By the triangle inequality no outcome of one stretch is more than exp(max_j(c_j most_j)/s)
//          times as likely for a neighbour, and touched of them multiply to at most exp(epsilon) (Hardt & Talwar 2010; the integers need
//          no rounding). mu and rho: by an epsilon that implies them (Lee et al. 2022, (12)).
// Domain   stretches of 1 to 1024 coordinates, 10^6 altogether; s as exact/k_norm.h says.
// Cost     as exact/k_norm.h, for each stretch.
// Timing   varies with the draws; see docs/explanation/threats.md.
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

/// A proposal: how much noise, and the units in which coordinates share it.
struct CubePlan {
  Int128 scale;                   // s, in the common unit
  std::vector<Int128> multiples;  // c_j: the common units in one unit of coordinate j
  std::size_t stretch;            // how many coordinates share a draw

  /// s in units of coordinate j. The variance of its noise is (d+1)(d+2)/3 times the square of that, up to a relative 10^-6.
  double scale_of(std::size_t j) const;
};

struct NoisyCube {
  std::vector<Int128> ticks;  // the values, in units of 1/plan.multiples[j]
  CubePlan plan;
  Relation relation;
  privacy::Loss loss;
  Receipt receipt;

  /// Coordinate j in its own unit, as a double within 2 ulps.
  double value(std::size_t j) const;
};

/// Fails before drawing if the grant is spent or does not pay for this noise, and with EntropyUnavailable if `bits` fails.
Result<Released<NoisyCube>> release_k_norm(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, const CubePlan& plan, Grant&& grant,
                                           exact::RandomBits& bits);

}  // namespace tacet::kernel
