// tacet/kernel/outer_products.h: the joint sensitivity of all products of a row.
//
//   const std::vector<Int128> most = {100, 200, 100}; const std::vector<double> s = {50, 60, 50};
//   mpq_class spent = spent_by_products(NoiseFamily::Gaussian, most, s, /*columns=*/2, {});
// Rows x and y with |x_i| <= m_i change product (i,j) by D_ij = x_i x_j - y_i y_j. Not all of them
// can be largest at once, so the sum of the separate bounds is too large. Noise with scales s_ij
// loses at most
//   factor (sum of c_ij),  c_ij = m_i m_j/s_ij (Laplace: epsilon),
//                          c_ij = most_ij m_i m_j/s_ij^2 (Gaussian: mu^2)
// where the factor depends on the ratios of the c_ij only. It is 1 + |N - GG'| for any matrix G:
// the plan proposes one, and a bad one costs accuracy only. Without a G it is 2.
// Theorem  our own, sharp except for the factor. Proof: docs/explanation/outer_products.md.
// Domain   1 to 64 columns; the bound of (i,i) is also one of x_i^2; scales greater than 0.
// Error    one-sided, up: integers decide the factor.
// Cost     d^3/2 128-bit products for d columns.
// Checked  tests/kernel/outer_products_test.cc, tests/data/moments_neighbours_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gmpxx.h>

#include "tacet/base/wide.h"
#include "tacet/kernel/release.h"

namespace tacet::kernel {

/// G is in units of 2^-kRootLog2, row by row; N with c_ii on and c_ij/2 off the diagonal is scaled
/// so that its largest c_ij is 1. No entry of G is larger than 8.
inline constexpr int kRootLog2 = 56;

/// An upper bound on epsilon (Laplace) or mu^2 (Gaussian) of the products (0,0), (0,1), ...,
/// (1,1), ... if a row is replaced. `most` has the separate bounds.
mpq_class spent_by_products(NoiseFamily family, std::span<const Int128> most, std::span<const double> scales, std::size_t columns,
                            std::span<const std::int64_t> root);

/// The factor for these c_ij >= 0.
mpq_class outer_product_factor(const std::vector<mpq_class>& parts, std::size_t columns, std::span<const std::int64_t> root);

}  // namespace tacet::kernel
