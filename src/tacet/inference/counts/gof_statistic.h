// tacet/inference/counts/gof_statistic.h: chi-square statistics of a noisy table, and their
// distributions for large n.
//
//   CellNoise noise{.variance = 80, .structure = NoiseStructure::Independent};
//   GofDesign design = *GofDesign::of({0.5, 0.3, 0.2}, /*n=*/1000, noise);
//   double t = gof_statistic(design, GofStatistic::Projected, release.values);
//   double p = gof_null_distribution(design, GofStatistic::Projected)->upper(t);
//   const std::vector<double> alternative = {0.52, 0.29, 0.19};
//   double power = *gof_power(design, GofStatistic::Projected, alternative, 0.05);
//
// The null hypothesis has the probabilities p. h are the true counts, Z is the noise of variance
// s^2 in each cell, v = h + Z - n p, and t = s^2/n (1/(n rho) in Rogers):
//
//   classical      sum of v_i^2/(n p_i)                                              Rogers (6.4)
//   projected      c' S^-1 c / n, c = v - mean(v), S = diag(p) - p p' + t I          Rogers (7.16)
//   nonprojected   v' S^-1 v / n                                                     Rogers (7.13)
//
// Theorem  Normal limits (Rogers 6.1.7, 6.1.11, 7.2.3, 7.2.4, 7.2.6, 7.2.10). Classical: a
//          weighted sum of chi-squares. Projected: chi-square with d - 1 degrees of freedom.
//          Nonprojected: d.
// A cell of probability 0 has no part in the classical statistic (0/0 = 0, as in Lee, Algorithm 2):
// its noise would have an infinite weight. In the others it has the weight of its noise.
// Domain   2 to 10^7 cells; probabilities of at least 10^-12, or 0, with sum 1; 1 <= n <= 2^53;
//          variance 10^-12 n to 10^100. Classical distributions: up to 1000 cells.
// Error    statistics relative 10^-13; distributions of normal vectors 10^-12. The normal limit of
//          counts needs n p_i >= 5.
// Cost     linear; classical distributions cubic: 100 cells 2 ms, 1000 cells 1 s.
// Checked  tests/inference/gof_statistic_test.cc: reference values, Rogers Table 3, and, in
//          goodness_of_fit_test.cc, simulated tables.
// Derivation  docs/explanation/chi_square_statistics.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {

enum class GofStatistic : std::uint8_t { Classical, Projected, Nonprojected };
constexpr auto names_of(GofStatistic) {
  return std::to_array<Named<GofStatistic>>(
      {{GofStatistic::Classical, "classical"}, {GofStatistic::Projected, "projected"}, {GofStatistic::Nonprojected, "nonprojected"}});
}

struct CellNoise {
  double variance;  // of each cell, before any projection
  mechanisms::NoiseStructure structure = mechanisms::NoiseStructure::Independent;
};
CellNoise cell_noise(const mechanisms::NoiseDistribution& distribution);

inline constexpr std::size_t kMostClassicalCells = 1000;

/// Positive numbers that sum to 1 within 10^-9, scaled to sum to 1; messages call them
/// `parameter`.
/// Zeros are cells that nobody can be in.
enum class ZeroCells : std::uint8_t { Refused, Allowed };
Result<std::vector<double>> probabilities_of(std::vector<double> values, const std::string& parameter,
                                             ZeroCells zeros = ZeroCells::Refused);

class GofDesign {
 public:
  static Result<GofDesign> of(std::vector<double> null, double n, CellNoise noise);

  const std::vector<double>& null() const { return null_; }
  double n() const { return n_; }
  const CellNoise& noise() const { return noise_; }
  std::size_t cells() const { return null_.size(); }
  double noise_share() const { return noise_.variance / n_; }  // t above
  double least_expected() const;                               // of the cells that somebody can be in
  bool has_zero_cells() const;
  /// The dimension of the noisy table's variation: d, or d - 1 if the noise keeps the total;
  /// projected: always d - 1.
  double df(GofStatistic statistic) const;

 private:
  GofDesign(std::vector<double> null, double n, CellNoise noise) : null_(std::move(null)), n_(n), noise_(noise) {}
  std::vector<double> null_;
  double n_;
  CellNoise noise_;
};

/// `values` has a number for each cell.
double gof_statistic(const GofDesign& design, GofStatistic statistic, std::span<const double> values);

/// Unsupported for classical statistics of more than kMostClassicalCells cells.
Result<numeric::WeightedChi2> gof_null_distribution(const GofDesign& design, GofStatistic statistic);

/// The critical value for level alpha under the null hypothesis, and P[statistic > critical] under
/// other probabilities. Domain 10^-300 <= alpha < 1.
Result<double> gof_critical(const GofDesign& design, GofStatistic statistic, double alpha);
Result<double> gof_power(const GofDesign& design, GofStatistic statistic, std::span<const double> alternative, double alpha);

/// The variance of the statistic for large n if the people follow `alternative`.
/// Theorem  Rogers 7.2.12.
Result<double> gof_variance(const GofDesign& design, GofStatistic statistic, std::span<const double> alternative);

/// The power against a deviation of unknown direction: p + D, where D is normal with `size` times
/// the covariance (diag(p) - p p')/n of a sample. Compares statistics before data is seen.
Result<double> gof_power_any_direction(const GofDesign& design, GofStatistic statistic, double size, double alpha);

}  // namespace tacet::inference
