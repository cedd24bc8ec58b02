// tacet/inference/histograms/histogram_tree.h: the number of people below each edge, by least
// squares from all levels of a histogram, with the exact distribution of its noise.
//
//   HistogramTree tree(histogram);
//   tree.below()[j];                   // estimates the people with a number below edge j
//   tree.people();                     // those with any number
//   tree.noise(j, 0.5).upper(12);      // of below()[j] - 0.5 people()
//
// A sum of bins and the bins themselves are measured separately; a public n measures all without
// noise. The estimate is the linear one of least variance: one pass from the bins up combines each
// value with the sum of its parts, one pass down shares out what is left.
// Theorem  Least squares on a tree: Hay, Rastogi, Miklau and Suciu (2010), for any tree, with a
//          total without noise. Weights of the noise: the same passes, transposed.
// Domain   at most kMostTreeBins bins.
// Error    some ulps of the largest value.
// Cost     linear for an estimate or a draw; quadratic in the bins once, for all variances.
// Checked  tests/inference/histogram_tree_test.cc: against normal equations, and simulation.
// Derivation  docs/explanation/quantiles.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tacet/inference/histograms/noisy_histogram.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/noise_sum.h"

namespace tacet::inference {

inline constexpr std::size_t kMostTreeBins = 10'000;

class HistogramTree {
 public:
  explicit HistogramTree(const NoisyHistogram& histogram);

  std::size_t bins() const { return sizes_[0]; }
  /// From 0 at the first edge to people() at the last.
  const std::vector<double>& below() const { return below_; }
  double people() const { return below_.back(); }
  bool is_gaussian() const { return family_ == kernel::NoiseFamily::Gaussian; }

  /// The noise of below()[j] - t people(), plus a normal variable of this variance.
  numeric::NoiseSum noise(std::size_t j, double t, double normal_variance = 0) const;
  double variance(std::size_t j, double t) const;
  /// The largest scale of a Laplace variable in it, or a bound on it; 0 for Gaussian noise.
  double largest_scale(std::size_t j, double t) const;

  /// Noise of below(), one for each edge, drawn anew. `room` is overwritten.
  void draw(numeric::InsecureStream& stream, std::vector<double>& room, std::span<double> below) const;

 private:
  void measure_level(std::size_t level);
  void estimate(std::vector<double>& values, double n, std::span<double> below) const;
  /// The weight of each value in below()[j].
  std::vector<double> weights(std::size_t j) const;
  template <class Visit>
  void each_child(std::size_t level, std::size_t node, Visit visit) const;

  kernel::NoiseFamily family_;
  double scale_;
  std::size_t copies_, branching_;
  bool has_missing_, keeps_total_;
  std::vector<std::size_t> sizes_, from_;             // of each level: its values, and the first of them
  std::vector<double> variance_, parts_;              // of each value and of the sum of its parts, from below
  double top_variance_ = 0, kept_ = 0;                // of the sum of the highest level; its share of an error of the total
  std::vector<double> below_, all_weights_;           // the latter of people()
  std::vector<double> squares_, products_, largest_;  // of the weights of below(), and with people()
};

}  // namespace tacet::inference
