// tacet/kernel/outer_products.h: the joint sensitivity of all products of a row, which is less than the sum of their separate bounds.
//
//   mpq_class spent = spent_by_products(NoiseFamily::Gaussian, {100, 200, 100}, {50, 60, 50}, 2);      // mu^2, of (0,0), (0,1), (1,1)
//
// Rows x and y with |x_i| <= m_i change product (i,j) by D_ij = x_i x_j - y_i y_j. It may be 2 m_i m_j where the squares do not move at all, and
// m_i m_j where they move most: to count every bound at once, d^2 m^2 in sum for d columns, is too much. Noise of scales s_ij spends at most
//   factor times the sum of c_ij,      c_ij = m_i m_j/s_ij (Laplace: epsilon) or most_ij m_i m_j/s_ij^2 (Gaussian: mu^2),
// with a factor that depends on the c_ij alone, up to a common multiple; the bounds without the factor are not enough.
//
// Theorem  let u = x - y and v = x + y, so that |u_i| + |v_i| = 2 max(|x_i|, |y_i|) <= 2 m_i, and t_i = |u_i|/m_i - 1, which lies in [-1, 1].
//          From D_ij = (u_i v_j + v_i u_j)/2 follows
//            |D_ij| <= m_i m_j ((1 + t_i)(1 - t_j) + (1 - t_i)(1 + t_j))/2 = m_i m_j (1 - t_i t_j),
//          with equality for all i, j at once where x = m and y = -mt. As |D_ij| <= most_ij too, D_ij^2 <= most_ij m_i m_j (1 - t_i t_j).
//          So what is spent, the sum over i <= j of |D_ij|/s_ij or (D_ij/s_ij)^2, is at most that of c_ij (1 - t_i t_j). Let N have c_ii on
//          its diagonal and c_ij/2 beside it: what is spent is at most the sum of c_ij, less t'Nt; and for every matrix G,
//          t'Nt = |G't|^2 + t'(N - GG')t >= -sum |N - GG'|_ij. The factor is 1 + sum |N - GG'|/sum c_ij. G is guessed from
//          eigenvectors; a bad guess costs accuracy alone.
//          A row that comes or goes instead of being replaced is the case y = 0, so that a person who leaves one group and enters another
//          spends no more than this in either. Figures beside the products are bounded by themselves, and what they spend is added.
//          Steps of a grid are points of the box of the m_i, and rounding noise to a grid is post-processing.
// Sharp    but for the factor: epsilon is spent by x = m and y = 0. With Gaussian noise, the same for an even number of columns of equal,
//          symmetric range, mu is spent by x = m and y = m with half of its signs changed.
// Domain   1 to 64 columns; the bound of (i,i) is also one of x_i^2; scales greater than 0.
// Error    one-sided, up: the factor is decided between integers, and 1 + 10^-13 at most where N has no negative eigenvalue, as with
//          c_ij = a_i^2 on the diagonal and b a_i a_j beside it, 0 <= b <= 2.
// Cost     d^3/2 128-bit products and one eigenproblem: 15 ms for 64 columns.
// Checked  tests/kernel/outer_products_test.cc, tests/data/moments_neighbours_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <gmpxx.h>

#include "tacet/base/wide.h"
#include "tacet/kernel/release.h"

namespace tacet::kernel {

inline constexpr std::size_t kMostOuterProducts = 64;  // columns

/// At least what the noise of the products (0,0), (0,1), ..., (1,1), ... spends where a row is replaced: epsilon (Laplace) or mu^2 (Gaussian).
/// `most`: what replacing one row changes in each of them by itself.
mpq_class spent_by_products(NoiseFamily family, std::span<const Int128> most, std::span<const double> scales, std::size_t columns);

/// The factor for these c_ij, which are at least 0.
mpq_class outer_product_factor(const std::vector<mpq_class>& parts, std::size_t columns);

}  // namespace tacet::kernel
