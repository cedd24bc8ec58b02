// tacet/inference/counts/grouped_cells.h: sums of noisy cells over groups, with their noise.
//
//   // Bit 0 of a cell: "current smokers who are ill"; bit 1: "ill".
//   GroupedCells cells(release, std::vector<GroupMask>{0, 2, 3, 0, 2, 0});
//   cells.sum(1);                                             // estimates the people who are ill
//   GroupWeights w = cells.weights([](GroupMask g) { return (g & 1 ? 1.0 : 0.0) - 0.2; });
//   cells.noise(w, /*sampling_variance=*/0).upper(12);        // of the weighted sum of all cells
//
// If n is public, the error of the total is subtracted from all cells equally, so that they sum to
// n. This is the least-squares estimate; it reduces the variance of every sum.
// Theorem  The weights w of a sum act on the noise as w - mean(w) if the total is kept, and as w
//          otherwise. Rounding to a grid adds the variance grid^2/12 in each cell. Noise on the
//          integers is no larger than continuous noise with a tail that begins half a step earlier
//          (docs/explanation/discrete_noise.md).
// Domain   a mask for each cell, below 16.
// Cost     linear in the cells once; then 16 classes.
// Checked  tests/inference/proportion_test.cc: coverage of what rests on it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

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
  numeric::NoiseSum noise(const GroupWeights& weights, double sampling_variance) const;
  double noise_covariance(const GroupWeights& first, const GroupWeights& second) const;
  bool is_gaussian() const { return !(laplace_scale_ > 0); }
  /// Whether any cell of the table is in the group.
  bool has_cells(unsigned group) const;

 private:
  GroupWeights effective(const GroupWeights& weights) const;

  std::array<double, kGroupClasses> values_{}, cells_{};
  double all_cells_ = 0;
  double cell_variance_, laplace_scale_;  // the latter 0 for Gaussian noise
  double rounding_variance_;
  double step_ = 0;             // of noise on the integers: 1
  double jitter_variance_ = 0;  // of a uniform variable over a step, where such noise is Gaussian
  bool keeps_total_;
};

}  // namespace tacet::inference
