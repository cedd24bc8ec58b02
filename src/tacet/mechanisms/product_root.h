// tacet/mechanisms/product_root.h: proposes a matrix by which the kernel bounds joint products.
//
//   const std::vector<mpq_class> shares = {1, 1, 1};            // of (0,0), (0,1) and (1,1)
//   std::vector<std::int64_t> root = product_root(shares, /*columns=*/2);
//   mpq_class factor = kernel::outer_product_factor(shares, 2, root);
//
// It is G of docs/explanation/outer_products.md, with GG' near N, from the eigenvectors of N with
// positive eigenvalues. A plan carries it (kernel/release_numbers.h). The kernel proves its bound
// for any G, so this may be wrong and costs accuracy only.
// Domain   shares of at least 0, one of them greater; 1 to 64 columns.
// Error    the factor is at most 1 + 10^-13 if N has no negative eigenvalue.
// Cost     one eigenproblem: 15 ms for 64 columns.
// Checked  tests/kernel/outer_products_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gmpxx.h>

namespace tacet::mechanisms {

/// Row by row, in the units of kernel/outer_products.h.
std::vector<std::int64_t> product_root(const std::vector<mpq_class>& shares, std::size_t columns);

}  // namespace tacet::mechanisms
