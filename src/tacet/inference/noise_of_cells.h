// tacet/inference/noise_of_cells.h: the noise of one cell of a table, continuous or on the
// integers.
//
//   const mechanisms::NoiseDistribution laplace{kernel::NoiseFamily::Laplace, 2};
//   noise_variance(laplace);                                                  // 8
//   if (const auto discrete = discrete_noise(laplace)) discrete->beyond(3);   // P[|Z| > 3]
//
// Noise on the integers has a variance of its own: where a method needs only moments it uses that
// one, and where it needs the distribution it uses numeric/discrete_noise.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tacet/mechanisms/count_release.h"
#include "tacet/numeric/discrete_noise.h"

namespace tacet::inference {

/// Before any projection.
double noise_variance(const mechanisms::NoiseDistribution& noise);
/// Empty for continuous noise.
std::optional<numeric::DiscreteNoise> discrete_noise(const mechanisms::NoiseDistribution& noise);

/// Discrete Gaussian noise of at least this scale is as good as continuous noise for what is
/// smooth in the values: by Poisson's summation formula they differ by exp(-2 pi^2 4) = 10^-34.
inline constexpr double kSmoothDiscreteScale = 2;
/// Gaussian noise, or discrete Gaussian noise of at least that scale.
bool is_smooth_gaussian(const mechanisms::NoiseDistribution& noise);

}  // namespace tacet::inference
