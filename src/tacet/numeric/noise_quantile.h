// tacet/numeric/noise_quantile.h: simultaneous quantiles of the noise in p cells.
//
// Each returns the c with P[|N_j| <= c for all j] = 1 - alpha, in units of the noise scale:
//
//   max_quantile_gaussian(/*p=*/6, /*alpha=*/0.05);   // independent standard normal cells
//   max_quantile_laplace(6, 0.05);                    // independent standard Laplace cells
//   max_quantile_sum_zero(6, 0.05);    // z_j - mean(z), z standard normal: rank-deficient noise
//
// With p = 1 these are the quantiles of one cell. In sum-zero noise one cell has variance 1 - 1/p
// (marginal_quantile_sum_zero).
//
// Method   Independent: each cell at level 1 - (1 - alpha)^(1/p). Sum-zero: the probability is
//          sqrt(2 pi p) d(0), where d is the density of the sum of p normal variables restricted
//          to [-c, c]. d(0) is a Fourier series (p <= 4: one convolution integral).
// Domain   p >= 1 (sum-zero: p >= 2), 0 < alpha <= 1/2.
// Error    relative 1e-13 (independent); 1e-9 absolute in the probability (sum-zero). For p > 1000
//          or alpha < 1e-6 the sum-zero quantile is Sidak's bound from independent cells: at most
//          1/(2p) too large, never too small.
// Cost     constant (independent); below 20 ms (sum-zero).
// Checked  tests/numeric/noise_quantile_test.cc: closed forms, the case p = 2, and simulation.
// Derivation  docs/explanation/sum_zero_quantile.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tacet::numeric {

double max_quantile_gaussian(std::size_t p, double alpha);
double max_quantile_laplace(std::size_t p, double alpha);
double max_quantile_sum_zero(std::size_t p, double alpha);
double marginal_quantile_sum_zero(std::size_t p, double alpha);

/// P[max_j |z_j - mean(z)| <= c] for p >= 2 independent standard normal z.
double max_probability_sum_zero(std::size_t p, double c);

}  // namespace tacet::numeric
