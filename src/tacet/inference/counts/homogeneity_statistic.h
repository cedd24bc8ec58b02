// tacet/inference/counts/homogeneity_statistic.h: how far several noisy tables are from having the same probabilities, and what these would be.
//
//   HomogeneityStatistic statistic(GofStatistic::Projected, /*cells=*/3, {{.variance = 64, .total_public = true}, {.variance = 9}});
//   double t = statistic.evaluate(values, people);      // group by group, each group's values with the sum people[i]
//   statistic.pooled();                                  // the common probabilities that fit best, made positive
//
// With x_i = values of group i over its N_i people, s_i^2 the variance of the noise in each of its cells and t_i = s_i^2/N_i:
//
//   classical   Lee's Algorithm 3: sum of (y_ij - N_i p_j)^2/(N_i p_j), p the sum of all tables over that of all people, made positive.
//   projected   the least sum of N_i (x_i - p)' S_i^- (x_i - p) over all p with sum 1, S_i the covariance of sampling and noise together for a
//               plug-in p: each group counts by what its noise leaves of it (minimum chi-square, as Rogers 7.3).
//
// Theorem  On tables with sum 0 the covariance of sqrt(N_i) (x_i - p) is that of diag(p + t_i) - a p p', a = 1 where the total is public (its
//          noise has then been taken away) and a = 1 - t_i d where the noisy total stands for it (the delta method). Its inverse there is
//          diag(w) + b w w', w = 1/(p + t_i), g = sum of p w, b = t_i/g or b = -t_i^2/(1 - t_i g) (Sherman & Morrison). The least sum is
//          linear least squares with a diagonal matrix and as many outer products as there are groups (Woodbury). For Gaussian noise and
//          large N_i it is chi-square with (groups - 1)(d - 1) degrees of freedom: generalised least squares with a consistent covariance.
// Domain   2 groups or more, 2 cells or more; variances greater than 0. The caller has checked them.
// Error    relative 10^-10 where s_i^2 is at most 10^4 N_i.     Cost  cells times groups squared; no allocation after construction but r x r matrices.
// Checked  tests/inference/homogeneity_statistic_test.cc: against dense least squares; invariances. Laws: homogeneity_test.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tacet/inference/counts/gof_statistic.h"

namespace tacet::inference {

struct GroupNoise {
  double variance;  // of each cell
  bool total_public = false;
};

class HomogeneityStatistic {
 public:
  HomogeneityStatistic(GofStatistic kind, std::size_t cells, std::vector<GroupNoise> noise);

  std::size_t groups() const { return noise_.size(); }
  std::size_t cells() const { return cells_; }
  double df() const { return static_cast<double>((groups() - 1) * (cells_ - 1)); }

  /// Infinite where some people[i] is not positive.
  double evaluate(std::span<const double> values, std::span<const double> people);
  /// Of the last evaluation: positive, with sum 1; no cell holds less than one person of all groups together.
  const std::vector<double>& pooled() const { return pooled_; }

 private:
  double classical(std::span<const double> values, std::span<const double> people);
  double projected(std::span<const double> values, std::span<const double> people);
  void pool(std::span<const double> values, std::span<const double> people, std::span<const double> weights);
  void make_positive(double people);

  GofStatistic kind_;
  std::size_t cells_;
  std::vector<GroupNoise> noise_;
  std::vector<double> pooled_, mean_, right_, diagonal_, weights_, shares_;
};

}  // namespace tacet::inference
