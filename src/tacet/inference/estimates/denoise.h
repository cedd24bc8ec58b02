// tacet/inference/estimates/denoise.h: shrink a noisy table, then move it to the nearest possible one, and estimate what that is worth.
//
//   Denoised d = *denoise(release.values, release.noise, release.n, {.shrink = Shrinkage::PositivePart, .project = Projection::Simplex});
//   d.values; d.unbiased_cost;
//
// The expected squared error after shrinking or projecting depends on the truth, which nobody knows; two things about it can be known:
//
//   cost_bound     the expected squared error of the table as it was released. Shrinkage and projection never increase it.
//   unbiased_cost  Stein's estimate: a number computed from the noisy table whose expectation is exactly the expected squared error. It is
//                  noisy itself, and may even be negative where much was gained.
//
// Theorem  Stein (1981), Theorem 1, in the space of the noise: for y = truth + s P z, P a projection of rank k, and an almost
//          differentiable d, E|d(y) - truth|^2 = E[ |d(y) - y|^2 + 2 s^2 tr(P J) ] - k s^2, J the derivative of d. The derivative of a
//          shrinkage is a multiple of P and two matrices of rank one, that of a projection is the projection onto the face it lands on; the
//          trace of their product is a few sums. Where the public total is used, it is kept first (P = I - 11'/p): the same estimate with
//          less variance.
// Domain   as shrink.h and project.h; unbiased_cost for Gaussian noise only, since for Laplace noise no such estimate is known to us.
// Error    of the ideal noise: that a release is rounded to a grid of at most s/1024 changes it by less than a relative 1e-6.
// Cost     linear; 10^6 cells below 40 ms (bench/estimate_bench.cc).
// Checked  tests/inference/denoise_test.cc: against derivatives by differences, and in expectation against exact costs.
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
  std::optional<Bounds> bounds = {};  // for Projection::Bounds: what every true cell is known to lie between
};

struct Denoised {
  std::vector<double> values;
  double cost_bound;
  std::optional<double> unbiased_cost;
};

/// InvalidArgument where shrink() refuses, where the simplex has no public total, and where bounds are missing or not in order.
Result<Denoised> denoise(std::span<const double> values, const mechanisms::NoiseDistribution& law, std::optional<double> total,
                         const DenoiseOptions& options);

/// The values alone, without what they are worth.
Result<std::vector<double>> denoised_values(std::span<const double> values, const mechanisms::NoiseDistribution& law,
                                            std::optional<double> total, const DenoiseOptions& options);

/// The expected squared error of a table of so many cells as it was released.
double noise_cost(const mechanisms::NoiseDistribution& law, std::size_t cells);

}  // namespace tacet::inference
