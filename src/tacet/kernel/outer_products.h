// tacet/kernel/outer_products.h: what replacing one row changes in all its products together, which is less than in each of them.
//
//   std::vector<double> bounds = outer_product_bounds(NoiseFamily::Gaussian, {100, 200, 100}, 2);      // of (0,0), (0,1), (1,1): 100, 141.4, 100
//   double factor = outer_product_factor(NoiseFamily::Gaussian, {1, 1, 1}, 2);                         // 1 and a little
//
// Rows x and y with |x_i| <= m_i change product (i,j) by D_ij = x_i x_j - y_i y_j. It may be 2 m_i m_j where the squares do not move at all, and
// m_i m_j where they move most: noise for every bound at once, d^2 m^2 in sum for d columns, is too much. Noise of scale
//   s_ij = factor bounds_ij / (share of the promise),    share: w_ij/|w|_1 of epsilon (Laplace), w_ij/|w|_2 of mu (Gaussian)
// is enough; one of these without the other is not. bounds_ij is m_i m_j for Laplace noise, and sqrt(most_ij m_i m_j) for Gaussian noise.
//
// Theorem  let u = x - y and v = x + y, so that |u_i| + |v_i| = 2 max(|x_i|, |y_i|) <= 2 m_i, and t_i = |u_i|/m_i - 1, which lies in [-1, 1].
//          From D_ij = (u_i v_j + v_i u_j)/2 follows
//            |D_ij| <= m_i m_j ((1 + t_i)(1 - t_j) + (1 - t_i)(1 + t_j))/2 = m_i m_j (1 - t_i t_j),
//          with equality for all i, j at once where x = m and y = -mt. As |D_ij| <= most_ij too, D_ij^2 <= most_ij m_i m_j (1 - t_i t_j).
//          So what is spent, the sum over i <= j of |D_ij|/s_ij or (D_ij/s_ij)^2, is at most that of c_ij (1 - t_i t_j), where c_ij is
//          bounds_ij/s_ij or its square. Let N have c_ii on its diagonal and c_ij/2 beside it: what is spent is at most the sum of c_ij, less
//          t'Nt; and for every matrix G, t'Nt = |G't|^2 + t'(N - GG')t >= -sum |N - GG'|_ij. The factor is 1 + sum |N - GG'|/sum c_ij
//          (Gaussian: its root), by which the c_ij (their roots) then fall short of the shares. G is guessed from eigenvectors; a bad
//          guess costs accuracy alone.
//          A row that comes or goes instead of being replaced is the case y = 0, so that a person who leaves one group and enters another
//          spends no more than this in either. Figures beside the products are bounded by themselves, and what they spend is added.
//          Steps of a grid are points of the box of the m_i, and rounding noise to a grid is post-processing.
// Sharp    but for the factor: epsilon is spent by x = m and y = 0. With Gaussian noise, the same for an even number of columns of equal,
//          symmetric range, mu is spent by x = m and y = m with half of its signs changed.
// Domain   1 to 64 columns; bounds 1 to 2^120, the bound of (i,i) being one of x_i^2; weights greater than 0, 1e-50 to 1e50.
// Error    one-sided, up: bounds by 2^-52; the factor is decided between integers, and 1 + 10^-12 at most where N has no negative
//          eigenvalue, as with weights (Gaussian: squared weights) a_i^2 on the diagonal and b a_i a_j beside it, 0 <= b <= 2.
// Cost     the factor: d^3/2 128-bit products and one eigenproblem; once for a plan.
// Checked  tests/kernel/outer_products_test.cc, tests/data/moments_neighbours_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/kernel/release.h"

namespace tacet::kernel {

inline constexpr std::size_t kMostOuterProducts = 64;  // columns

/// `most`: of the products (0,0), (0,1), ..., (1,1), ...: what replacing one row changes in each of them by itself.
std::vector<double> outer_product_bounds(NoiseFamily family, const std::vector<double>& most, std::size_t columns);

/// `weights`: of the same products.
double outer_product_factor(NoiseFamily family, const std::vector<double>& weights, std::size_t columns);

}  // namespace tacet::kernel
