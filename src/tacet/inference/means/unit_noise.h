// tacet/inference/means/unit_noise.h: the noise of released sums in units of its scale: its variance, and draws of it for simulations.
//
//   std::vector<double> unit(3);
//   draw_unit_noise(UnitNoise::KNorm, /*figures=*/4, stream, unit);      // the first three of a draw of four
//   unit_variance(UnitNoise::KNorm, 4);                                  // of each of them
//
// Independent standard normal or Laplace variables, or one draw from the density proportional to exp(-max |u_i|) over all `figures` that share it.
// Theorem  K-norm: a gamma variable of shape D + 1 times a uniform point of the cube [-1, 1]^D has this density, and so every coordinate the
//          variance (D + 1)(D + 2)/3 (Hardt & Talwar 2010, section 4); some of the coordinates need no draw of the others.
// Domain   figures at least as many as are drawn; looked at for K-norm alone.
// Error    exact but for rounding.          Cost  linear; no allocation.
// Checked  tests/inference/unit_noise_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tacet/base/enum_names.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

enum class UnitNoise : std::uint8_t { Gaussian, Laplace, KNorm };
constexpr auto names_of(UnitNoise) {
  return std::to_array<Named<UnitNoise>>(
      {{UnitNoise::Gaussian, "gaussian"}, {UnitNoise::Laplace, "laplace"}, {UnitNoise::KNorm, "k-norm"}});
}

/// Of the count and the sums of a release; where it is KNorm, release.figures_of_a_draw() of them share a draw.
UnitNoise noise_of_sums(const mechanisms::MomentRelease& release);

double unit_variance(UnitNoise family, std::size_t figures);

void draw_unit_noise(UnitNoise family, std::size_t figures, numeric::InsecureStream& stream, std::span<double> out);

/// Of all figures of one group, in units of their scales: the number of people where it is noisy, the sums, the products. Not for "ed".
void draw_figure_noise(const mechanisms::MomentRelease& release, numeric::InsecureStream& stream, std::span<double> out);

}  // namespace tacet::inference
