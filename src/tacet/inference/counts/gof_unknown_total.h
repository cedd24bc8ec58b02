// tacet/inference/counts/gof_unknown_total.h: goodness of fit of a denoised table whose number of
// people is not public and whose noisy total is poor.
//
//   const DenoiseOptions denoise{.project = Projection::Nonnegative};
//   GofTest test = *test_goodness_of_fit(release, {0.5, 0.3, 0.2},
//                                        {.alpha = 0.05, .denoise = denoise});    // calls this
//   PossibleTotals people = possible_totals(release, /*miss=*/0.001);
//
// Shrinkage and truncation depend on the size of the table, so tables of another size than the true
// one have another distribution. The test takes the largest p-value over all sizes that the noisy
// total leaves possible.
// Theorem  Berger & Boos (1994): if P[n outside C] <= miss for every n, and p(n) is a p-value for
//          each n, then the largest p(n) over C plus miss is one too. C is the released total plus
//          and minus a quantile of the noise of a sum. p(n) is that of monte_carlo.h, so the level
//          is at most alpha for every n and every null hypothesis, up to the sizes between those
//          that are tried.
// The statistic is that of the denoised table times its total, the sum of (y_i - N p_i)^2/p_i:
// where noise is large its distribution hardly depends on n, so little power is lost.
// Domain   as goodness_of_fit.h, n not public.
// Error    p(n) is computed at kSizes sizes, evenly from the least to the largest.
// Cost     kSizes simulations.
// Checked  tests/inference/gof_unknown_total_test.cc: level and power in Lee's settings
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/goodness_of_fit.h"

namespace tacet::inference {

/// How many sizes of tables are tried.
inline constexpr int kSizes = 5;

/// The whole numbers of people that the noisy total leaves possible: all but `miss`. Empty (low >
/// high) if not even one person is.
struct PossibleTotals {
  double low, high;
};
PossibleTotals possible_totals(const mechanisms::CountRelease& release, double miss);

/// Fills p_value, critical, outcome, statistic and the words of a test that has everything else.
Status decide_over_totals(GofTest& test, const mechanisms::CountRelease& release, const std::vector<double>& null,
                          const GofOptions& options);

}  // namespace tacet::inference
