// tacet/inference/counts/collapsed_table.h: a table of sums of released cells, with its noise.
//
//   // Cells 0 and 1 are added up, cell 2 stands alone, the last one is left out (2 classes).
//   CollapsedTable table(release, std::vector<std::size_t>{0, 0, 1, 2}, /*classes=*/2);
//   table.values();                                     // estimates the people of each class
//   table.noise(std::vector<double>{1, -1}, /*sampling_variance=*/0).variance();   // of a contrast
//   numeric::InsecureStream stream(1, 0);
//   std::vector<double> drawn = table.draw(stream, /*people=*/100, std::vector<double>{0.3, 0.7});
//
// If n is public, the error of the total is subtracted from all released cells equally, so that
// they sum to n. This is the least-squares estimate; it reduces the variance of every sum.
// Theorem  The weights w of a sum act on the noise as w - mean(w) if the total is kept, and as w
//          otherwise. Rounding to a grid adds the variance grid^2/12 in each cell. Noise on the
//          integers is no larger than continuous noise with a tail that begins half a step earlier
//          (docs/explanation/discrete_noise.md).
// Domain   a class for each cell, or `classes` for one that is left out.
// Error    sums of more than 32 Laplace or discrete variables are drawn as normal ones.
// Cost     linear in the cells once, then in the classes.
// Checked  tests/inference/table_follow_up_test.cc: variances against draws.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tacet/mechanisms/count_release.h"
#include "tacet/numeric/discrete_noise.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/noise_sum.h"

namespace tacet::inference {

/// A class has noise of the variance each - shared, and two have the covariance -shared, which is 0
/// unless the total is kept.
struct ClassNoise {
  double each, shared;
};

class CollapsedTable {
 public:
  CollapsedTable(const mechanisms::CountRelease& release, std::span<const std::size_t> class_of_cell, std::size_t classes);

  const std::vector<double>& values() const { return values_; }
  bool has_cells(std::size_t of) const { return cells_[of] > 0; }
  double people() const;  // in all classes
  bool is_gaussian() const { return noise_.family == kernel::NoiseFamily::Gaussian; }
  bool n_public() const { return n_public_; }
  std::string_view family_name() const { return noise_name(noise_); }

  /// The noise of a weighted sum of the classes, plus a normal variable.
  numeric::NoiseSum noise(std::span<const double> weights, double sampling_variance) const;
  double noise_covariance(std::span<const double> first, std::span<const double> second) const;
  /// The noise of each class, where all have as many cells.
  ClassNoise class_noise() const;

  /// Values of a table of `people` who follow positive probabilities, with the release's noise.
  std::vector<double> draw(numeric::InsecureStream& stream, double people, const std::vector<double>& probabilities) const;

  /// The nearest table without negative values and with the same total; all 0 without people.
  static std::vector<double> possible(std::span<const double> values);

 private:
  double left_out_cells() const;
  double mean_weight(std::span<const double> weights) const;

  std::vector<double> values_, cells_;
  double all_cells_, scale_, rounding_variance_;
  mechanisms::NoiseDistribution noise_;
  std::optional<numeric::DiscreteNoise> discrete_;  // noise on the integers
  double cell_variance_;
  bool n_public_, keeps_total_;
};

/// Positive probabilities with sum 1: an empty cell has a very small one.
std::vector<double> drawable(std::vector<double> probabilities);

}  // namespace tacet::inference
