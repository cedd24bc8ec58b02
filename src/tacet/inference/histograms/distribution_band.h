// tacet/inference/histograms/distribution_band.h: the distribution function behind a noisy
// histogram, with bands that hold at all edges together.
//
//   HistogramTree tree(histogram);
//   DistributionBand band = *estimate_distribution(tree, {.alpha = 0.05});
//   band.file[j].lower;             // the part of the people of the file below edge j
//   band.population[j].upper;       // of the distribution that they are a sample of
//   quantile_from(band.file, histogram.edges, 0.5);    // all quantiles hold together, too
//
// File: Fieller's construction at each edge, with one critical value c for all edges, from
// simulated noise: the largest |noise of A - t B|/sd over all edges and all t from 0 to 1, for the
// people A below the edge and B with a number. Population: |A - t B| <= c at all edges, where
// Massart's bound on the error of a sample is combined with simulated noise.
// Theorem  Coverage at least 1 - alpha, over the simulation too, for every distribution and number
//          of people: c is the least with (1 + sum of g)/(draws + 1) <= alpha, for g the
//          conditional probability that a draw of the noise exceeds c (file: 0 or 1). Massart
//          (1990); Angelopoulos et al. (2022), Theorem 1. As F increases, so may the bands.
// Domain   1e-9 <= alpha <= 0.5, and enough draws for alpha (monte_carlo.h).
// Cost     a draw is linear in the bins; 9,999 draws of 256 bins take 60 ms.
// Checked  tests/inference/distribution_band_test.cc, `study run coverage_of_quantiles`
// Derivation  docs/explanation/quantiles.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/histograms/histogram_tree.h"
#include "tacet/inference/histograms/quantile.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::inference {

struct BandOptions {
  double alpha = 0.05;
  Simulation simulation = {};
};

/// One entry for each edge.
struct DistributionBand {
  std::vector<double> estimate = {};  // empty if nobody may have a number
  std::vector<Interval> file = {}, population = {};
};

Result<DistributionBand> estimate_distribution(const HistogramTree& tree, const BandOptions& options);

/// The quantiles of all distribution functions within the band.
Interval quantile_from(const std::vector<Interval>& band, const std::vector<double>& edges, double probability);

}  // namespace tacet::inference
