// tacet/mechanisms/moment_mechanism.h: how sums and second moments get their noise.
//
//   Gaussian      independent Gaussian noise (kernel/release_numbers.h)
//   Laplace       independent Laplace noise (kernel/release_numbers.h)
//   KNorm         one draw for all values, scaled by the largest change (kernel/release_numbers.h)
//   CubeProducts  such a draw for counts and sums, Laplace noise for the products
//                 (kernel/release_numbers.h)
//   Eigen         Laplace noise for counts and sums, drawn eigenvectors for the products
//                 (eigen/release_eigen.h)
//
//   name(MomentMechanism::CubeProducts);      // "k-norm+laplace"
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tacet/base/enum_names.h"
#include "tacet/kernel/release.h"

namespace tacet::mechanisms {

enum class MomentMechanism : std::uint8_t { Gaussian, Laplace, KNorm, CubeProducts, Eigen };
constexpr auto names_of(MomentMechanism) {
  using enum MomentMechanism;
  return std::to_array<Named<MomentMechanism>>(
      {{Gaussian, "gaussian"}, {Laplace, "laplace"}, {KNorm, "k-norm"}, {CubeProducts, "k-norm+laplace"}, {Eigen, "ed"}});
}

/// The noise family that charged_sizes of mechanisms/noise_plan.h uses for it.
inline kernel::NoiseFamily family_of(MomentMechanism mechanism) {
  const bool laplace = mechanism == MomentMechanism::Laplace || mechanism == MomentMechanism::CubeProducts;
  return laplace ? kernel::NoiseFamily::Laplace : kernel::NoiseFamily::Gaussian;
}

/// Such a mechanism adds noise to products, so it cannot release anything without them.
inline bool needs_products(MomentMechanism mechanism) {
  return mechanism == MomentMechanism::Eigen || mechanism == MomentMechanism::CubeProducts;
}

}  // namespace tacet::mechanisms
