// tacet/workflow/infer/gwas.h: tests whether a genotype and a disease are independent.
//
//   GwasTest test = *test_gwas(genotypes, {.alpha = 0.05});     // a noisy table, 3 x 2 or 2 x 3
//   test.baseline_critical;    // the critical value of a statistic with noise of its own
//   GwasTest noised = *test_gwas(NoisedChiSquare{.statistic = 61.3, .n = 1000, .rho = 0.01});
//
// A noisy table gives a more powerful test than a noisy statistic, which others publish (Rogers,
// 7.3.2).
// Domain   a table as independence.h; a noised statistic: n even, from 2 to 2^53, half are cases.
// Error    inference/counts/independence.h and inference/counts/noised_gwas.h.
// Cost     as independence.h; of a noised statistic: microseconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tacet/base/result.h"
#include "tacet/workflow/infer/independence.h"

namespace tacet {

/// The options are those of the test of independence.
using GwasOptions = IndependenceOptions;

/// The test, and the critical value that noise on the statistic itself would need.
struct GwasTest : IndependenceTest {
  /// For Gaussian noise and a public n: the critical value of a chi-square statistic with noise of
  /// its own, for the same privacy under replace-one.
  std::optional<double> baseline_critical = {};
};

/// Pearson's statistic of n people, half of them cases, with the Gaussian noise for rho.
struct NoisedChiSquare {
  double statistic, n, rho;
};

/// Are a genotype and a disease independent of each other?
Result<GwasTest> test_gwas(const CountRelease& release, const GwasOptions& options = {}, const Context& context = {});
Result<GwasTest> test_gwas(const LocalRelease& release, const GwasOptions& options = {}, const Context& context = {});
Result<GwasTest> test_gwas(const TableRelease& release, const GwasOptions& options = {}, const Context& context = {});
/// The same from a statistic that was noised itself.
Result<GwasTest> test_gwas(const NoisedChiSquare& noised, double alpha = GwasOptions{}.alpha);

}  // namespace tacet
