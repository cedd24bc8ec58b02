// tacet/inference/output_perturbation.h: the critical value of a chi-square statistic of a 3 x 2 table that was itself noised (GWAS).
//
//   double critical = *gwas_critical(/*n=*/1000, /*rho=*/0.01, /*alpha=*/0.05);     // 48.55
//
// The baseline that tests on noisy tables are compared with (Rogers 7.3.2; Uhler et al. 2013, Yu et al. 2014): half of n people are cases, half
// controls, and Gaussian noise for rho is added to the statistic, whose sensitivity is 4n/(n+2).
// Theorem  T = chi2_2 + s N, s^2 = (4n/(n+2))^2/(2 rho), and since chi2_2 is exponential with mean 2,
//          P[T > q] = P[sN > q] + exp(s^2/8 - q/2) P[N <= q/s - s/2]; decreasing in q, so that bisection finds the critical value.
// Domain   2 <= n <= 2^53, 10^-12 <= rho <= 10^12, 10^-9 <= alpha <= 1/2.
// Error    relative 10^-12.       Cost  10 microseconds.       Checked  tests/inference/output_perturbation_test.cc: by quadrature.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"

namespace tacet::inference {

Result<double> gwas_critical(double n, double rho, double alpha);

}  // namespace tacet::inference
