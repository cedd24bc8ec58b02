// tacet/inference/means/unit_noise.h: the noise of released sums in units of its scale: variances
// and simulated draws.
//
//   std::vector<double> unit(3);
//   draw_unit_noise(UnitNoise::KNorm, /*draw_size=*/4, stream, unit);   // three of the four
//   unit_variance(UnitNoise::KNorm, 4);                               // of each of them
//
// The noise is independent standard normal or Laplace variables, or one draw of all `draw_size`
// values from the density proportional to exp(-max |u_i|).
// Theorem  K-norm: a gamma variable of shape D + 1 times a uniform point of the cube [-1, 1]^D has
//          this density, so every coordinate has the variance (D + 1)(D + 2)/3 (Hardt & Talwar
//          2010, section 4). Some coordinates can be drawn without the others.
// Domain   draw_size at least the number of values that are drawn; used for K-norm only.
// Error    exact up to rounding.
// Cost     linear; no allocation.
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

/// The noise of the count and the sums of a release. If it is KNorm, release.draw_size()
/// of them share a draw.
UnitNoise noise_of_sums(const mechanisms::MomentRelease& release);

double unit_variance(UnitNoise family, std::size_t draw_size);

void draw_unit_noise(UnitNoise family, std::size_t draw_size, numeric::InsecureStream& stream, std::span<double> out);

/// The noise of all values of one group, in units of their scales: the number of people if it is
/// noisy, the sums, the products. Not for "ed".
void draw_release_noise(const mechanisms::MomentRelease& release, numeric::InsecureStream& stream, std::span<double> out);
/// The same for some of the values: the first `sums`, which are the number of people and the sums,
/// and some products after them. `shared` is release.draw_size(). With "ed", sums alone.
void draw_square_noise(mechanisms::MomentMechanism mechanism, std::size_t shared, std::size_t sums, numeric::InsecureStream& stream,
                       std::span<double> out);

}  // namespace tacet::inference
