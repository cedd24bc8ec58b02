// tacet/workflow/infer/critical_value.h: critical values of test statistics for a level alpha, and
// tails.
//
//   double any = *critical_weighted_chi2({.weights = {3, 1, 1}, .alpha = 0.05});      // 14.168423
//   tail_weighted_chi2({.weights = {3, 1, 1}, .at = 14.168423})->upper;                     // 0.05
//   CriticalGof fit = *critical_gof({.null = {0.5, 0.5}, .n = 1000, .rho = 0.01, .alpha = 0.05});
//   fit.critical;                                                                  // about 4.8349
//   double gwas = *gwas_critical(/*n=*/1000, /*rho=*/0.01, /*alpha=*/0.05);           // 48.552552
//
// No data is read. A table has Gaussian noise of variance 1/rho in each cell; gwas is the
// statistic of a 3 x 2 table with the noise on the statistic itself (output perturbation).
// Domain   1e-300 <= alpha < 1 (gwas: 1e-9 to 1/2); 1e-12 <= rho <= 1e12; n, weights and
//          probabilities as numeric/weighted_chi2.h, inference/counts/gof_statistic.h and
//          inference/counts/noised_gwas.h. Outside: InvalidArgument.
// Error    relative 1e-12 of the distribution for large n.
// Cost     microseconds; the classical statistic is cubic in the cells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/noised_gwas.h"
#include "tacet/workflow/context.h"

namespace tacet {

using inference::GofStatistic;
using inference::gwas_critical;

/// The weights of the sum, and the level.
struct CriticalWeightedChi2Request {
  std::vector<double> weights;  // one degree of freedom each
  double alpha;
};
/// The critical value of a weighted sum of chi-square variables.
Result<double> critical_weighted_chi2(const CriticalWeightedChi2Request& request);

/// The weights of the sum, and where.
struct TailWeightedChi2Request {
  std::vector<double> weights;
  double at;
  std::vector<double> df = {};             // empty: one degree of freedom for each weight
  std::vector<double> noncentrality = {};  // empty: 0 for each weight
};
/// Both tails, and what inequalities say of the upper one.
struct TailWeightedChi2 {
  double upper, lower, density;
  double mean, variance;
  /// Bernstein's inequality (Aggregation, Lemma 3.2), where its condition holds.
  std::optional<double> bernstein;
  /// Chebyshev's inequality, beyond the mean.
  std::optional<double> chebyshev;
};
/// The tails of a weighted sum of chi-square variables.
Result<TailWeightedChi2> tail_weighted_chi2(const TailWeightedChi2Request& request);

/// The null, the people, the privacy and the level.
struct CriticalGofRequest {
  std::vector<double> null;  // the probability of each cell
  std::uint64_t n;
  double rho, alpha;
  GofStatistic statistic = GofStatistic::Classical;
};
/// The critical value, and of which statistic.
struct CriticalGof {
  double critical;
  double df;
  GofStatistic statistic;
  std::size_t cells;
};
/// The critical value of a test of fit on a table with Gaussian noise.
Result<CriticalGof> critical_gof(const CriticalGofRequest& request, const Context& context = {});

}  // namespace tacet
