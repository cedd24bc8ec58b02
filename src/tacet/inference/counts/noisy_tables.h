// tacet/inference/counts/noisy_tables.h: simulates tables of a hypothesis with the noise of a
// release.
//
//   NoisyTables drawn(1000, {0.5, 0.3, 0.2}, noise_source(release));
//   numeric::InsecureStream stream(/*seed=*/7, /*index=*/0);
//   std::vector<double> deviations(3 * 256), sums(256);
//   // Cell i of table t, less its expectation: deviations[i * 256 + t].
//   drawn.draw(stream, /*tables=*/256, deviations, sums);
//
// Each table is multinomial(n, p) plus noise of the release's family, scale, grid and structure.
// This is the exact distribution of the release, up to the rounding of doubles.
// Domain   2 to 10^6 cells; n a whole number up to 2^50; positive probabilities with sum 1.
//          check_simulated refuses others by name.
// Error    as numeric/insecure_counts.h and insecure_stream.h.
// Cost     7 ns for each cell of each table (bench/simulation_bench.cc); 18 ns if cells expect 5
//          people.
// Checked  tests/inference/noisy_tables_test.cc: means, covariances, grids and totals of the
//          tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/numeric/discrete_noise.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

struct NoiseSource {
  mechanisms::NoiseDistribution distribution;
  std::optional<double> grid = {};  // the noise is a multiple of this
};
/// Without the grid if it is too fine for a double to show.
NoiseSource noise_source(const mechanisms::CountRelease& release);

inline constexpr std::size_t kMostSimulatedCells = 1'000'000;
Status check_simulated(std::size_t cells, double n);

class NoisyTables {
 public:
  NoisyTables(double n, const std::vector<double>& probabilities, const NoiseSource& noise);
  /// Deviations from n `null`, in place of n `probabilities`.
  NoisyTables(double n, std::vector<double> probabilities, const NoiseSource& noise, std::vector<double> null);

  std::size_t cells() const { return expected_.size(); }
  double n() const { return n_; }
  const std::vector<double>& expected() const { return expected_; }  // n p, or n null

  /// `deviations` has cells() * tables numbers, `sums` one for each table; at most
  /// kMostTablesInABlock tables.
  void draw(numeric::InsecureStream& stream, std::size_t tables, std::span<double> deviations, std::span<double> sums) const;

 private:
  double n_;
  std::vector<double> probabilities_, expected_;
  NoiseSource noise_;
  std::optional<numeric::DiscreteNoise> discrete_;  // noise on the integers
};

}  // namespace tacet::inference
