// tacet/mechanisms/cube_plan.h: how much K-norm noise a pure epsilon buys, alone or beside Laplace noise for products. Proposals: the kernel
// proves them before it draws (kernel/scale_check.h).
//
//   CubePlan plan = *plan_k_norm(box, loss);
//   CubeProductsPlan plan = *plan_cube_products(box, {0.9, 0.025, 0.05, 0.025}, loss);       // two columns: 0.9 of epsilon for the cube
//
// The units of a cube are c_j = floor(2^m / most_j), so that no coordinate moves by more than 2^m of them, and s >= 2^m touched / epsilon.
// Cube and products get epsilon_1 = epsilon w_1/|w|_1 and epsilon_2 = epsilon (1 - w_1/|w|_1), both rounded down; the weights are public and
// decide about accuracy alone. mu and rho: by the largest epsilon that implies them.
// Domain   most_j <= 2^60; 2^-20 <= epsilon/touched <= 2^20, of the part that the cube gets; otherwise as kernel/release_k_norm.h and
//          kernel/release_cube_products.h say. Outside: an error that says why.
// Error    s is never too small, and above what is asked for by a relative 2^-30 at most; the c_j are below 2^m/most_j by a relative 2^-20
//          at most; scales of products by 10^-12 at most.
// Cost     some microseconds for each coordinate.
// Checked  tests/kernel/release_k_norm_test.cc, tests/kernel/release_cube_products_test.cc, tests/kernel/scale_check_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/release_cube_products.h"
#include "tacet/kernel/release_k_norm.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

/// The noise that `loss` buys. Reads no data.
Result<kernel::CubePlan> plan_k_norm(const kernel::BoxSensitivity& box, const privacy::Loss& loss);

/// `weights`: one for all that stands before the products, and one for each product; greater than 0. Each gets that part of epsilon.
/// Unsupported where a stretch ends without products; reads no data.
Result<kernel::CubeProductsPlan> plan_cube_products(const kernel::BoxSensitivity& box, const std::vector<double>& weights,
                                                    const privacy::Loss& loss);

}  // namespace tacet::mechanisms
