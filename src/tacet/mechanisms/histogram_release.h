// tacet/mechanisms/histogram_release.h: a noisy histogram of numbers, flat or with sums of bins.
//
//   HistogramRelease r = *read_release_as<HistogramRelease>("age.json");   // release_file.h
//   r.values[0];        // the noisy counts of the bins
//   r.values[1];        // of every r.branching neighbouring bins together, with their own noise
//
// Bin i holds numbers from edge i to under edge i + 1, the last bin also its upper edge; numbers
// beyond the edges are in the nearest bin. All numbers have independent noise of the same scale.
// Sums of sums make a tree, from which least squares gets the number of people below an edge with
// far less noise than from the bins alone (inference/histograms/histogram_tree.h).
// docs/reference/release_file.md describes the JSON.
// Domain   as count_release.h; 1 to 10^7 bins.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/kernel/release.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/release_header.h"

namespace tacet::mechanisms {

struct HistogramRelease {
  ReleaseHeader header = {};
  std::string column = {};
  std::vector<double> edges = {};
  bool dates = false;                            // edges are days since 1970-01-01
  std::size_t branching = 1;                     // 1: flat
  std::vector<std::vector<double>> values = {};  // of the bins, then of sums, of sums of sums, ...
  double missing = 0;                            // people without a number
  std::optional<double> n = {};                  // the number of people, where it is public
  std::optional<double> grid = {};               // values are multiples of this
  NoiseDistribution noise = {};                  // independent
};

/// The number of values at each level: all bins, then sums of `branching` of those before, while
/// there are at least two.
std::vector<std::size_t> level_sizes(std::size_t bins, std::size_t branching);

/// The bins, edges and name of a histogram.
struct HistogramBins {
  std::string column;
  std::vector<double> edges;
  bool dates = false;
  std::size_t branching = 1;
};
/// The public record of a release of the bins, the people without a number, and the sums.
HistogramRelease describe_histogram(const kernel::Released<kernel::NoisyVector>& released, HistogramBins bins,
                                    const std::optional<kernel::PublicFact<std::int64_t>>& n, std::string statement);

nlohmann::json to_json(const HistogramRelease& release);
/// InvalidArgument, naming the field, for anything that to_json would not write.
Result<HistogramRelease> histogram_release_from_json(const nlohmann::json& value);

}  // namespace tacet::mechanisms
