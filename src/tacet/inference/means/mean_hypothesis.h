// tacet/inference/means/mean_hypothesis.h: tests a mean against one alternative (likelihood ratio)
// or against all (region).
//
//   MeanTest t = *test_mean(
//       mean, {.null = {0, 0}, .alternative = {{10, 5}},
//              .distribution = {.target = MeanTarget::Population, .covariance = sigma}});
//   t.outcome; t.p_value; t.power;
//
// With an alternative, H0: mean = null is tested against H1: mean = alternative. eta = alternative
// - null, x is the estimate, W the covariance of its error and S that of a row:
//
//   optimal      a = W^-1 eta, T = a'(x - null)/sqrt(a'Wa): the likelihood-ratio test for normal
//                errors, and the best linear statistic otherwise. If noise is the only error and
//                its density is known (Laplace and K-norm noise, public number of people): the
//                likelihood ratio itself
//   naive        a = (S/n)^-1 eta, as without noise, but with a critical value for the noise:
//                valid, but weaker
//   super-naive  as naive, with a critical value that ignores the noise. Its level is wrong, so it
//                decides nothing and reports that level
//
// On a whitened query, optimal is the adjusted optimal analysis of the paper. Without an
// alternative, T = (x - null)' W^-1 (x - null), which rejects if null lies outside the region of
// confidence 1 - alpha (mean_region.h).
// If the rows of a query were clipped (population), null and alternative are the means after
// clipping, and W has the covariance of clipped rows (clipped_normal.h). If the query did not
// whiten the rows, critical values allow for the bias of clipping (clip_bias.h).
// Theorem  Neyman & Pearson (1933); Adjusted, Theorems 2.4 and 3.4, section 3.4. Power
//          Phi(a'eta/sqrt(a'Wa) - critical).
// Domain   as mean_distribution.h; 10^-9 <= alpha <= 0.5; null and alternative have one number for
//          each mean, and differ.
// Error    as mean_distribution.h. With a private covariance, level and power are measured, not
//          proven.
// Cost     as mean_distribution.h.
// Checked  tests/inference/mean_hypothesis_test.cc, mean_coverage_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/inference/means/mean_region.h"
#include "tacet/inference/means/noisy_mean.h"
#include "tacet/inference/outcome.h"

namespace tacet::inference {

enum class MeanAnalysis : std::uint8_t { Optimal, Naive, SuperNaive };
constexpr auto names_of(MeanAnalysis) {
  return std::to_array<Named<MeanAnalysis>>(
      {{MeanAnalysis::Optimal, "optimal"}, {MeanAnalysis::Naive, "naive"}, {MeanAnalysis::SuperNaive, "super-naive"}});
}

struct MeanTestOptions {
  std::vector<double> null = {};
  std::optional<std::vector<double>> alternative = {};
  MeanAnalysis analysis = MeanAnalysis::Optimal;
  double alpha = 0.05;
  MeanDistributionOptions distribution = {};
};

enum class MeanStatistic : std::uint8_t { LikelihoodRatio, Linear, Quadratic };
constexpr auto names_of(MeanStatistic) {
  return std::to_array<Named<MeanStatistic>>(
      {{MeanStatistic::LikelihoodRatio, "likelihood ratio"}, {MeanStatistic::Linear, "linear"}, {MeanStatistic::Quadratic, "quadratic"}});
}

struct MeanTest {
  std::optional<double> statistic;
  double df;
  std::optional<double> p_value, critical;
  std::optional<double> power;  // against the alternative
  std::optional<double> level;  // of the super-naive analysis
  Outcome outcome;
  std::optional<std::string> reason;  // of an inconclusive outcome
  MeanStatistic kind;
  ClippingIn clipping;
  MeanMethod method;
  std::optional<std::size_t> draws;              // empty: nothing was simulated
  std::optional<std::string> null_distribution;  // in words; empty if inconclusive
  std::vector<std::string> includes, leaves_out;
};

Result<MeanTest> test_mean(const NoisyMean& mean, const MeanTestOptions& options);

}  // namespace tacet::inference
