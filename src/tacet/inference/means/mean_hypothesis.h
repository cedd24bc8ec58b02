// tacet/inference/means/mean_hypothesis.h: tests of a mean: against one alternative (likelihood ratio), or against all (the region).
//
//   MeanTest t = *test_mean(mean, {.null = {0, 0}, .alternative = {{10, 5}}, .distribution = {.target = MeanTarget::Population, .covariance = sigma}});
//   t.outcome; t.p_value; t.power;
//
// With an alternative, H0: mean = null is tested against H1: mean = alternative, eta = alternative - null, x the estimate, W the covariance of its error:
//
//   optimal      a = W^-1 eta, T = a'(x - null)/sqrt(a'Wa): the likelihood-ratio test where the error is normal, and the best linear statistic elsewhere;
//                where noise is all there is and its density is known (Laplace and K-norm sums of as many people as are public), the likelihood ratio itself
//   naive        a = (S/n)^-1 eta, as if there were no noise, with the critical value that noise asks for: valid, and weaker
//   super-naive  as naive, with the critical value that forgets the noise: its level is wrong, so it decides nothing, and says what the level would be
//
// On a whitened query the optimal analysis is the paper's adjusted optimal one. Without an alternative: T = (x - null)' W^-1 (x - null), which rejects
// where null lies outside the region of confidence 1 - alpha (mean_region.h).
// Where a query's rows were clipped (population), null and alternative are the means that clipping makes of them (clipped_normal.h), or, if the query did
// not whiten the rows, critical values allow for the bias that clipping can give (clip_bias.h).
// Theorem  Neyman & Pearson (1933); Adjusted, Theorems 2.4 and 3.4, section 3.4. Power Phi(a'eta/sqrt(a'Wa) - critical).
// Domain   as mean_distribution.h; 10^-9 <= alpha <= 0.5; as many numbers in null and alternative as means, not the same ones.
// Error    as mean_distribution.h. A private covariance: level and power are measured, not proven.
// Cost     as mean_distribution.h.            Checked  tests/inference/mean_hypothesis_test.cc, mean_coverage_test.cc
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
  std::size_t draws;
  std::string null_distribution;  // in words
  std::vector<std::string> includes, leaves_out;
};

Result<MeanTest> test_mean(const NoisyMean& mean, const MeanTestOptions& options);

}  // namespace tacet::inference
