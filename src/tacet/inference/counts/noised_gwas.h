// tacet/inference/counts/noised_gwas.h: a chi-square test of a 3 x 2 table whose statistic itself was noised (GWAS): law, test and power.
//
//   double critical = *gwas_critical(/*n=*/1000, /*rho=*/0.01, /*alpha=*/0.05);     // 48.55
//   GofTest test = *test_noised_gwas(/*statistic=*/61.3, 1000, 0.01, 0.05);         // reject
//   double power = *gwas_power(cases, controls, 1000, 0.01, 0.05);                  // probabilities of the three genotypes in each group
//
// The baseline that tests on noisy tables are compared with (Rogers 7.3.2; Uhler et al. 2013, Yu et al. 2014): half of n people are cases, half
// controls, and Gaussian noise for rho is added to Pearson's statistic, whose sensitivity is 4n/(n+2). That sensitivity needs the even split.
// Theorem  T = chi2_2 + s N, s^2 = (4n/(n+2))^2/(2 rho), and since chi2_2 is exponential with mean 2,
//          P[T > q] = Q(q/s) + phi(q/s) M(s/2 - q/s), M Mills' ratio; decreasing in q, so that bisection finds the critical value.
//          Power: chi2_2 with noncentrality n sum of (a_i - b_i)^2/(2 (a_i + b_i)), a and b the probabilities of the groups, plus s N: the integral of
//          the noncentral tail against the density of the noise, by Gauss's rule between the places where either turns.
// Domain   2 <= n <= 2^53, even where a test is made; 10^-12 <= rho <= 10^12, 10^-9 <= alpha <= 1/2.
// Error    critical values and p-values relative 10^-12; power absolute 10^-10, as far as the limit for large n goes. Below 30 people some cell
//          expects fewer than 5: inconclusive.
// Cost     10 microseconds; power 10 ms.
// Checked  tests/inference/noised_gwas_test.cc: by quadrature, by simulation of noised tables, and independent values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tacet/base/result.h"
#include "tacet/inference/counts/goodness_of_fit.h"

namespace tacet::inference {

Result<double> gwas_critical(double n, double rho, double alpha);
/// The standard deviation of the noise on the statistic.
Result<double> gwas_noise(double n, double rho);
/// P[T > statistic] where cases and controls do not differ.
Result<double> gwas_p_value(double statistic, double n, double rho);
/// `statistic` is Pearson's with the noise that gwas_noise says.
Result<GofTest> test_noised_gwas(double statistic, double n, double rho, double alpha);
/// Three probabilities each. InvalidArgument, naming "cases" or "controls", otherwise.
Result<double> gwas_power(std::span<const double> cases, std::span<const double> controls, double n, double rho, double alpha);

}  // namespace tacet::inference
