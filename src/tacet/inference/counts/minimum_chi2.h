// tacet/inference/counts/minimum_chi2.h: the least distance of a noisy table from a hypothesis
// with unknown parameters.
//
//   const IndependentMargins margins(2, 3);                    // used as long as `distance` lives
//   MinimumChi2 distance(margins, {.variance = 80});
//   ChiFit fit = distance.fit(release.values, /*n=*/1000.0);   // fit.statistic, fit.probabilities
//
// y are the noisy counts, s^2 is the variance of the noise in a cell, t = s^2/n, v = y - n
// p(theta), and S = diag(p) - p p' + t I at p = p(model.guess(y)):
//
//   n public       the least c' S^-1 c / n over theta, c = v - mean(v): the projected statistic,
//                  Rogers (7.23)
//   n not public   the least v' S^-1 v / n over theta and n; n in S and in the divisor is the total
//                  of y
//
// Theorem  For Gaussian noise and large n both are chi-square with d - 1 - s degrees of freedom, s
//          the number of parameters (Rogers 7.3.1).
// Domain   2 to 10^6 cells, n >= 1; variance >= 0, and positive if n is not public. Without noise:
//          Pearson's minimum modified chi-square.
// Error    the minimum to a relative 10^-10; at a border of the parameter space, the limit towards
//          it. `converged` is false if 200 steps were too few.
// Cost     about 4 steps, each of a few products of model_derivative.h: for margins d + s. A 2 x 2
//          table 1.5 microseconds, 10 x 10 9 microseconds (bench/means_bench.cc). A margin that
//          noise has made negative costs more steps: bench/independence_bench.cc.
// Checked  tests/inference/minimum_chi2_test.cc: reference values, a search by another method,
//          goodness of fit for s = 0, and the distribution by simulation.
// Derivation  docs/explanation/chi_square_statistics.md
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

/// Has buffers of its own: use one for each thread.
class MinimumChi2 {
 public:
  /// `model` must outlive it.
  MinimumChi2(const NullModel& model, CellNoise noise);
  ~MinimumChi2();
  MinimumChi2(const MinimumChi2&) = delete;
  MinimumChi2& operator=(const MinimumChi2&) = delete;

  /// `n` empty: not public. The total of the values must then be positive.
  ChiFit fit(std::span<const double> values, std::optional<double> n);
  /// The same with S at given probabilities in place of the guess: for planning, with an assumed
  /// table.
  ChiFit fit_with(std::span<const double> values, std::optional<double> n, std::span<const double> middle);
  /// Only the least distance.
  double statistic(std::span<const double> values, std::optional<double> n);

  double df() const;  // d - 1 - s

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace tacet::inference
