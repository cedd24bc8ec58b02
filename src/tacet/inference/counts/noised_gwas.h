// tacet/inference/counts/noised_gwas.h: tests a 3 x 2 table (GWAS) by a chi-square statistic with
// noise added to it.
//
//   double critical = *gwas_critical(/*n=*/1000, /*rho=*/0.01, /*alpha=*/0.05);     // 48.55
//   GofTest test = *test_noised_gwas(/*statistic=*/61.3, 1000, 0.01, 0.05);         // reject
//   // The probabilities of the three genotypes in each group.
//   const std::vector<double> cases = {0.3, 0.5, 0.2}, controls = {0.4, 0.45, 0.15};
//   double power = *gwas_power(cases, controls, 1000, 0.01, 0.05);
//
// This is the baseline for tests on noisy tables (Rogers 7.3.2; Uhler et al. 2013, Yu et al.
// 2014). Half of n people are cases, half are controls, and Pearson's statistic gets Gaussian
// noise for rho. Its sensitivity is 4n/(n+2), which needs the even split.
// Theorem  T = chi2_2 + s N with s^2 = (4n/(n+2))^2/(2 rho). As chi2_2 is exponential with mean 2,
//          P[T > q] = Q(q/s) + phi(q/s) M(s/2 - q/s), M Mills' ratio. It decreases in q, so
//          bisection finds the critical value. Power: docs/explanation/chi_square_statistics.md
// Domain   2 <= n <= 2^53, even for a test; 10^-12 <= rho <= 10^12, 10^-9 <= alpha <= 1/2.
// Error    critical values and p-values relative 10^-12; power absolute 10^-10; all of the limit
//          for large n. Below 30 people some cell expects fewer than 5: inconclusive.
// Cost     10 microseconds; power 10 ms.
// Checked  tests/inference/noised_gwas_test.cc: by quadrature, by simulation of noisy statistics,
//          and independent values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tacet/base/result.h"
#include "tacet/inference/counts/goodness_of_fit.h"

namespace tacet::inference {

Result<double> gwas_critical(double n, double rho, double alpha);
/// The standard deviation of the noise on the statistic.
Result<double> gwas_noise(double n, double rho);
/// P[T > statistic] if cases and controls do not differ.
Result<double> gwas_p_value(double statistic, double n, double rho);
/// `statistic` is Pearson's plus noise of the standard deviation gwas_noise.
Result<GofTest> test_noised_gwas(double statistic, double n, double rho, double alpha);
/// Three probabilities each. InvalidArgument, naming "cases" or "controls", otherwise.
Result<double> gwas_power(std::span<const double> cases, std::span<const double> controls, double n, double rho, double alpha);

}  // namespace tacet::inference
