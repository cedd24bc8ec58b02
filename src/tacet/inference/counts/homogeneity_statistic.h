// tacet/inference/counts/homogeneity_statistic.h: the distance of several noisy tables from common
// probabilities.
//
//   HomogeneityStatistic statistic(GofStatistic::Projected, /*cells=*/3,
//                                  {{.variance = 64, .total_public = true}, {.variance = 9}});
//   const std::vector<double> values = {52, 29, 19, 45, 36, 22}, people = {100, 103};
//   double t = statistic.evaluate(values, people);   // people[i]: the sum of group i
//   statistic.pooled();                              // the common probabilities
//
// Group i has N_i people, the values y_i, and noise of variance s_i^2 in each cell; x_i = y_i/N_i
// and t_i = s_i^2/N_i.
//
//   classical   Lee's Algorithm 3: the sum of (y_ij - N_i p_j)^2/(N_i p_j), where p is the sum of
//               all tables over that of all people, made positive.
//   projected   the least sum of N_i (x_i - p)' S_i^- (x_i - p) over all p with sum 1, where S_i
//               is the covariance of sampling and noise together at a plug-in p (minimum
//               chi-square, as Rogers 7.3). A group with more noise has less weight.
//
// Theorem  For Gaussian noise and large N_i the projected statistic is chi-square with (groups -
//          1)(d - 1) degrees of freedom: generalised least squares with a consistent covariance.
// Domain   2 groups or more, 2 cells or more; variances greater than 0. The caller has checked
//          them.
// Error    relative 10^-10 if s_i^2 is at most 10^4 N_i.
// Cost     cells times groups squared; after construction only r x r matrices are allocated.
// Checked  tests/inference/homogeneity_statistic_test.cc: against dense least squares;
//          invariances. Distributions: homogeneity_test.cc.
// Derivation  docs/explanation/chi_square_statistics.md
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

  /// Infinite if some people[i] is not positive.
  double evaluate(std::span<const double> values, std::span<const double> people);
  /// Of the last evaluation: positive, with sum 1; each cell has at least one person of all groups
  /// together.
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
