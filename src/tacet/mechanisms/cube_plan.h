// tacet/mechanisms/cube_plan.h: the K-norm noise for a pure epsilon, alone or beside Laplace noise
// for products.
//
//   CubePlan plan = *plan_k_norm(box, loss);
//   // Two columns: 0.9 of epsilon for the cube.
//   CubeProductsPlan both = *plan_cube_products(box, {0.9, 0.025, 0.05, 0.025}, loss);
//
// A plan is a proposal: the kernel proves it before it draws (kernel/scale_check.h).
// The units of a cube are c_j = floor(2^m / most_j), so that no coordinate changes by more than
// 2^m units. The scale is s >= 2^m touched / epsilon. Cube and products get epsilon_1 = epsilon
// w_1/|w|_1 and epsilon_2 = epsilon (1 - w_1/|w|_1), both rounded down. The weights are public and
// affect accuracy only. For mu and rho, epsilon is the largest one that implies them.
// Domain   most_j <= 2^60; 2^-20 <= epsilon/touched <= 2^20 for the cube's epsilon; otherwise as
//          in kernel/release_numbers.h and kernel/release_numbers.h. Outside: an error that
//          says why.
// Error    s is never too small, and exceeds the least one by a relative 2^-30 at most; c_j is
//          below 2^m/most_j by a relative 2^-20 at most; scales of products are above theirs by
//          10^-12 at most.
// Cost     some microseconds for each coordinate.
// Checked  tests/kernel/release_k_norm_test.cc, tests/kernel/release_cube_products_test.cc,
//          tests/kernel/scale_check_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

/// The noise that `loss` buys. Reads no data.
Result<kernel::CubePlan> plan_k_norm(const kernel::BoxSensitivity& box, const privacy::Loss& loss);

/// `weights`: one for everything before the products, then one for each product; greater than 0.
/// Each gets that part of epsilon. Unsupported if a stretch has no products at its end; reads no
/// data.
Result<kernel::CubeProductsPlan> plan_cube_products(const kernel::BoxSensitivity& box, const std::vector<double>& weights,
                                                    const privacy::Loss& loss);

}  // namespace tacet::mechanisms
