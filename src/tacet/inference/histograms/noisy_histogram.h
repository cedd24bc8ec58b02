// tacet/inference/histograms/noisy_histogram.h: noisy counts of bins, from any release that has
// them.
//
//   NoisyHistogram ages = noisy_histogram(histogram_release);
//   NoisyHistogram women = noisy_histogram(table, /*axis=*/0, cells_of_women);   // of a table
//
// A table of counts with an axis of bins is a histogram once the cells of the other axes are added
// up, all or some of them; the noise of a bin is then that of several cells.
// Domain   an axis with edges; as many cells of each bin.
// Error    noise that keeps the total of a table of which only some cells are used is treated as
//          independent, which is never too little (Anderson 1955).
// Checked  tests/inference/quantile_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/kernel/release.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/histogram_release.h"

namespace tacet::inference {

struct NoisyHistogram {
  std::string column = {};
  std::vector<double> edges = {};  // one more than the bins
  bool dates = false;
  std::size_t branching = 1;
  std::vector<std::vector<double>> levels = {};  // the bins, then sums (mechanisms::level_sizes)
  std::optional<double> missing = {};            // people without a number, noisy; empty: none
  std::optional<double> n = {};                  // of bins and missing together, where it is public
  kernel::NoiseFamily family = kernel::NoiseFamily::Gaussian;
  double scale = 0;        // of each noisy cell
  std::size_t copies = 1;  // the noisy cells in each bin

  std::size_t bins() const { return edges.size() - 1; }
};

NoisyHistogram noisy_histogram(const mechanisms::HistogramRelease& release);
/// `chosen`: a flag for each cell of the table; empty: all.
NoisyHistogram noisy_histogram(const mechanisms::CountRelease& release, std::size_t axis, const std::vector<bool>& chosen);

}  // namespace tacet::inference
