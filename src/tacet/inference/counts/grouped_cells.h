// tacet/inference/counts/grouped_cells.h: sums of noisy cells over groups, with their noise.
//
//   // Bit 0 of a cell: "current smokers who are ill"; bit 1: "ill".
//   GroupedCells cells(release, std::vector<GroupMask>{0, 2, 3, 0, 2, 0});
//   cells.sum(1);                                             // estimates the people who are ill
//   GroupWeights w = cells.weights([](GroupMask g) { return (g & 1 ? 1.0 : 0.0) - 0.2; });
//   cells.noise(w, /*sampling_variance=*/0).upper(12);        // of the weighted sum of all cells
//
// A cell is in the groups whose bits are in its mask, so groups may overlap. The cells of one mask
// are a class of a CollapsedTable: collapsed_table.h says what a public n and the noise do.
// Domain   a mask for each cell, below 16.
// Cost     linear in the cells once; then 16 classes.
// Checked  tests/inference/proportion_test.cc: coverage of what rests on it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tacet/inference/counts/collapsed_table.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/numeric/noise_sum.h"

namespace tacet::inference {

using GroupMask = std::uint8_t;
inline constexpr std::size_t kGroupClasses = 16;
/// A weight for the cells of each mask.
using GroupWeights = std::array<double, kGroupClasses>;

class GroupedCells {
 public:
  GroupedCells(const mechanisms::CountRelease& release, std::span<const GroupMask> masks);

  template <class Weight>
  static GroupWeights weights(Weight weight) {
    GroupWeights all{};
    for (std::size_t mask = 0; mask < kGroupClasses; ++mask) all[mask] = weight(static_cast<GroupMask>(mask));
    return all;
  }
  /// Over the cells of a group.
  double sum(unsigned group) const;
  double sum(const GroupWeights& weights) const;
  /// The noise of a weighted sum, plus a normal variable.
  numeric::NoiseSum noise(const GroupWeights& weights, double sampling_variance) const {
    return classes_.noise(weights, sampling_variance);
  }
  double noise_covariance(const GroupWeights& first, const GroupWeights& second) const { return classes_.noise_covariance(first, second); }
  bool is_gaussian() const { return classes_.is_gaussian(); }
  /// Whether any cell of the table is in the group.
  bool has_cells(unsigned group) const;

 private:
  CollapsedTable classes_;  // one for each mask
};

}  // namespace tacet::inference
