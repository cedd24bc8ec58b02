// tacet/inference/means/directional_means.h: tests whether two groups have the same mean, against
// one alternative: one-sided, in the direction of a given difference.
//
//   MomentRelease release = *read_release_as<MomentRelease>("by_arm.json");
//   // Does the first arm have less of the first column and more of the second?
//   MeansTest test = *test_direction({&release, 0}, {&release, 1}, /*alternative=*/{-4, 1},
//                                    {.alpha = 0.05});
//   test.p_value;  test.power;      // against this difference
//
// With W the covariance of the error of the difference of means, as equal_means.h estimates it for
// its weights, and e the alternative, the statistic is w'(x_1 - x_2) in its standard deviations,
// with w = W^-1 e. It is the t-test for the combination w (t_test.h), so its level rests on the
// possible values of the numbers that were released, not on W. It sees nothing of differences
// across w, and has more power than the test against all differences along it.
// Theorem  the likelihood-ratio test for known W and normal errors: Neyman & Pearson (1933). The
//          distribution for weights of an estimated W, without noise:
//          docs/explanation/differences.md. With noise no proof; its level was measured.
// Domain   1 to 64 columns, the same in both groups; at least d degrees of freedom from people,
//          otherwise inconclusive; not for covariances by "ed"; an alternative that is
//          not 0; 10^-9 <= alpha <= 1/2.
// Error    that of the draws. The power is that of a normal error.
// Cost     as t_test.h.
// Checked  tests/inference/directional_means_test.cc: exact quantiles without noise; level over
//          dimensions, sizes, noise and covariances; power above that of the test against all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/equal_means.h"
#include "tacet/inference/means/mean_differences.h"

namespace tacet::inference {

/// `alternative` is the difference, first mean minus second, in the columns' units.
Result<MeansTest> test_direction(const ReleasedGroup& first, const ReleasedGroup& second, const std::vector<double>& alternative,
                                 const MeansOptions& options);

}  // namespace tacet::inference
