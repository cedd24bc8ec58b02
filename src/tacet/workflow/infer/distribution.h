// tacet/workflow/infer/distribution.h: the distribution function from a released histogram, with
// bands that hold at all edges together.
//
//   DistributionAnswer a = *infer_distribution(source, {.confidence = 0.95});
//   a.edges[3]; a.band.estimate[3];       // the part of the people below this edge
//   a.band.population[3].lower;           // noise and sampling; empty where there is no population
//   a.band.file[3].upper;                 // noise alone: for the people of the file
//
// The parts are among the people who have a number. It reads no data and costs no privacy.
// Domain   0.5 <= confidence <= 1 - 1e-9.
// Error    inference/histograms/distribution_band.h: valid over the simulation.
// Cost     a draw is linear in the bins; 9,999 draws of 256 bins take some 60 ms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/histograms/distribution_band.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/infer/histogram_source.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using inference::DistributionBand;

/// The column and the people, and the confidence of the bands.
struct DistributionOptions {
  HistogramPart part = {};
  double confidence = 0.95;
  Simulation simulation = {};
};

/// The distribution function at the edges of the bins.
struct DistributionAnswer {
  std::vector<double> edges;
  DistributionBand band;
  std::string column;
  bool dates = false;
  double people = 0;  // or rows, with a number, estimated
  double confidence = 0;
  AboutWhom about = {};  // without a population, its band is empty
};

/// Which part of the people is below each edge?
Result<DistributionAnswer> infer_distribution(const HistogramSource& source, const DistributionOptions& options,
                                              const Context& context = {});

}  // namespace tacet
