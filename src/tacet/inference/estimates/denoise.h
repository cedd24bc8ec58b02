// tacet/inference/estimates/denoise.h: shrinks and projects a noisy table, and estimates the
// remaining error.
//
//   Denoised d = *denoise(release.values, release.noise, release.n,
//                         {.shrink = Shrinkage::PositivePart, .project = Projection::Simplex});
//   d.values; d.unbiased_cost;
//
// The expected squared error after shrinking or projecting depends on the unknown truth. Two
// numbers about it are known:
//
//   cost_bound     the expected squared error of the table as it was released. Shrinkage and
//                  projection never increase it.
//   unbiased_cost  Stein's estimate, computed from the noisy table: its expectation is exactly the
//                  expected squared error. It is noisy itself, and may be negative.
//
// Theorem  Stein (1981), Theorem 1, in the space of the noise;
//          docs/explanation/denoising.md#steins-estimate
// Domain   as shrink.h and project.h; unbiased_cost for Gaussian noise only: for Laplace noise we
//          know of no such estimate.
// Error    that of the ideal noise: the rounding of a release to a grid of at most s/1024 changes
//          it by less than a relative 1e-6.
// Cost     linear; 10^6 cells below 40 ms (bench/estimate_bench.cc).
// Checked  tests/inference/denoise_test.cc: against derivatives by differences, and in expectation
//          against exact costs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/estimates/project.h"
#include "tacet/inference/estimates/shrink.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

struct DenoiseOptions {
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
  std::optional<Bounds> bounds = {};  // for Projection::Bounds: of every true cell
  std::vector<double> target = {};    // of the shrinkage, a number for each cell (shrink.h)
  bool done = false;                  // for tests: the table was published like this, simulated ones are not yet
};

struct Denoised {
  std::vector<double> values;
  double cost_bound;
  std::optional<double> unbiased_cost;
};

/// InvalidArgument if shrink() refuses, if the simplex has no public total, or if bounds are
/// missing or reversed.
Result<Denoised> denoise(std::span<const double> values, const mechanisms::NoiseDistribution& noise, std::optional<double> total,
                         const DenoiseOptions& options);

/// The values without the estimated cost.
Result<std::vector<double>> denoised_values(std::span<const double> values, const mechanisms::NoiseDistribution& noise,
                                            std::optional<double> total, const DenoiseOptions& options);

/// The expected squared error of a released table of this many cells.
double noise_cost(const mechanisms::NoiseDistribution& noise, std::size_t cells);

}  // namespace tacet::inference
