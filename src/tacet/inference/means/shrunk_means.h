// tacet/inference/means/shrunk_means.h: James-Stein shrinkage of released means or sums.
//
//   ShrunkMeans m = *shrink_means(*noisy_mean(release, 0), {.towards = ShrinkTowards::Common});
//   m.values;     // nearer to the true means on average, whatever these are
//   m.cost;       // an unbiased estimate of the expected loss, which is at most m.cost_bound
//
// The loss is the sum of squared errors in units of the noise: e' C^-1 e, C the covariance of the
// noise. If all means have noise of one size it is the sum of squared errors over its variance. A
// sum is n times a mean, so the same factor shrinks both.
//
//   target   towards given means t: t + f (y - t), at least 3 means
//   common   towards one value for all of them, the mean m weighted by C^-1: m + f (y - m), at
//            least 4 means, in one unit
//
// f = max(0, 1 - (k - 2)/W), W the loss of the target for y, and k the dimension of what is shrunk:
// d, or d - 1.
// Theorem  James & Stein (1961) for C^-1/2 y, whose noise is standard normal, in the coordinates
//          across the target; Baranchik (1964) for the positive part. Lee, Definition 2, is the
//          case of equal noise. The cost is Stein's estimate (1981).
// Domain   Gaussian noise and a public number of people; otherwise InvalidArgument.
// Error    relative 10^-12 where the condition of C is below 10^6.
// Cost     d^3.
// Checked  tests/inference/shrunk_means_test.cc: independent values, simulated losses, and a
//          shrinkage that goes too far.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/means/noisy_mean.h"

namespace tacet::inference {

enum class ShrinkTowards : std::uint8_t { Target, Common };
constexpr auto names_of(ShrinkTowards) {
  return std::to_array<Named<ShrinkTowards>>({{ShrinkTowards::Target, "target"}, {ShrinkTowards::Common, "common"}});
}

struct MeanShrinkage {
  ShrinkTowards towards = ShrinkTowards::Common;
  std::vector<double> target = {};  // with Target: a number for each mean
};

struct ShrunkMeans {
  std::vector<double> values;
  double factor;      // of what is left of the distance to the target
  double cost;        // estimated without bias; may be negative
  double cost_bound;  // the expected loss of the released means: d
};

Result<ShrunkMeans> shrink_means(const NoisyMean& mean, const MeanShrinkage& shrinkage);

}  // namespace tacet::inference
