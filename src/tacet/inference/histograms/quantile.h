// tacet/inference/histograms/quantile.h: quantiles of the numbers behind a noisy histogram.
//
//   HistogramTree tree(histogram);
//   QuantileInterval median = estimate_quantile(tree, histogram.edges, 0.5, /*alpha=*/0.05);
//   median.estimate; median.file.lower; median.population.upper;
//
// The p-quantile is the least number x with at least the part p of the people who have a number at
// or below x. The interval `file` is for the people of the file: noise is the only error. The
// interval `population` is for the distribution that the file is a sample of: noise and sampling.
// At each edge e a test decides whether the part below e is p or more. From the lowest edge up,
// the lower end is the last edge before the first one that is not rejected; the upper end is found
// from the highest edge down. Both ends are edges; the estimate is interpolated within its bin.
// Theorem  Coverage at least 1 - alpha: a wrong lower end rejects the null hypothesis at the one
//          edge next to the quantile, whatever the noise at other edges. File: the distribution of
//          the noise is exact. Population: a binomial variable of as many trials as there are
//          people with a number, plus noise; their number has an upper bound of confidence
//          1 - alpha/50 where it is private. Without noise: the order statistics of Thompson
//          (1936).
// Domain   0 < p < 1, 1e-9 <= alpha <= 0.5.
// Error    the binomial variable is rounded to a grid with its mean kept, which widens intervals by
//          less than 0.5 %; beyond a standard deviation of 20,000 people it is normal.
// Cost     below a millisecond for each edge in doubt; edges far from the quantile are decided by
//          Chernoff's bound.
// Checked  tests/inference/quantile_test.cc, `study run coverage_of_quantiles`: skewed and discrete
//          distributions, ties, few people, missing numbers, and intervals that ignore the noise.
// Derivation  docs/explanation/quantiles.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tacet/inference/counts/proportion.h"
#include "tacet/inference/histograms/histogram_tree.h"

namespace tacet::inference {

struct QuantileInterval {
  double probability;
  std::optional<double> estimate = {};  // empty if nobody may have a number
  Interval file, population;
};

QuantileInterval estimate_quantile(const HistogramTree& tree, const std::vector<double>& edges, double probability, double alpha);

/// The estimated part of the people with a number below each edge: least squares, made to increase
/// (pool adjacent violators). Empty if their number cannot be told from 0.
std::vector<double> estimated_distribution(const HistogramTree& tree);

/// An upper bound of confidence 1 - alpha on the people with a number; whole.
double most_people(const HistogramTree& tree, double alpha);

/// Where a distribution function through these points reaches p: straight lines between edges.
double interpolated_quantile(std::span<const double> edges, std::span<const double> distribution, double probability);

}  // namespace tacet::inference
