// tacet/inference/counts/minimum_chi2.h: how far a noisy table is from a hypothesis with open parameters: the least noise-aware distance.
//
//   MinimumChi2 distance(IndependentMargins(2, 3), {.variance = 80});
//   ChiFit fit = distance.fit(release.values, /*n=*/1000.0);            // fit.statistic, fit.probabilities
//
// With y the noisy counts, s^2 the variance of the noise in a cell, t = s^2/n and S = diag(p) - p p' + t I at p = p(model.guess(y)):
//
//   n public       least over theta of c' S^-1 c / n, c = v - mean(v), v = y - n p(theta)      Rogers (7.23), the projected statistic
//   n not public   least over theta and n of v' S^-1 v / n, n in S and in the divisor being the total of y
//
// Theorem  For Gaussian noise and large n both are chi-square with d - 1 - s degrees of freedom, s the number of parameters (Rogers 7.3.1 by Ferguson's
//          minimum chi-square theory, which also gives the second: an open n is one more parameter of the mean, with p for its column in the Jacobian).
//          The nonprojected statistic (7.22) is the projected one plus (sum y - n)^2/(d s^2): p sums to 1 whatever theta is, so that
//          both have the same minimum; it has one degree of freedom more. Noise that keeps the total changes nothing in the projected one.
//          Under p(theta) + D the law is noncentral; the noncentrality is the statistic of the table n (p(theta) + D) itself (7.2.10 and 7.1.4).
//          Least squares by Gauss & Newton, with Marquardt's damping where a step does not go down; sums as in gof_statistic.h, without cancellation.
// Domain   2 to 10^6 cells, n >= 1; variance >= 0, and positive where n is not public. No noise: Pearson's minimum modified chi-square.
// Error    the minimum to a relative 10^-10; at a border of the parameter space, the limit towards it. `converged` is false where 200 steps were too few.
// Cost     d s^2 for each step, some 4 steps: a 2 x 2 table 1.6 microseconds, 10 x 10 55 microseconds (bench/means_bench.cc).
// Checked  tests/inference/minimum_chi2_test.cc: reference values, a search by another method, goodness of fit where s = 0, and the law by simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/null_model.h"

namespace tacet::inference {

struct ChiFit {
  double statistic;
  double n;  // as given or fitted
  std::vector<double> theta, probabilities;
  bool converged;
};

/// Keeps room for its work: one for each thread.
class MinimumChi2 {
 public:
  /// `model` must outlive it.
  MinimumChi2(const NullModel& model, CellNoise noise);
  ~MinimumChi2();
  MinimumChi2(const MinimumChi2&) = delete;
  MinimumChi2& operator=(const MinimumChi2&) = delete;

  /// `n` empty: not public. The total of the values must then be positive.
  ChiFit fit(std::span<const double> values, std::optional<double> n);
  /// The same with S at given probabilities in place of the guess: for planning, where the table is a supposition.
  ChiFit fit_with(std::span<const double> values, std::optional<double> n, std::span<const double> middle);
  /// The least distance alone.
  double statistic(std::span<const double> values, std::optional<double> n);

  double df() const;  // d - 1 - s

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tacet::inference
