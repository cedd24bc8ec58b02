// tests/kernel/planned.h: releases with the noise that the planners propose for what was paid, as
// the service makes them.
//
//   auto out = testing::release_planned(testing::sealed({5}, box), NoiseFamily::Gaussian, {1},
//                                       purse.grant(testing::rho_loss("0.1")), bits);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/kernel/release.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/cube_plan.h"
#include "tacet/mechanisms/noise_plan.h"

namespace tacet::testing {

using SealedBox = kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity>;

inline Result<kernel::Released<kernel::NoisyVector>> release_planned(kernel::Sensitive<std::vector<std::int64_t>>&& counts,
                                                                     kernel::NoiseFamily family, kernel::Grant&& grant,
                                                                     exact::RandomBits& bits) {
  TACET_TRY(const auto plan, mechanisms::plan_noise(family, counts.sensitivity(), grant.loss()));
  return kernel::release(std::move(counts), plan, std::move(grant), bits);
}

inline Result<kernel::Released<kernel::NoisyNumbers>> release_planned(SealedBox&& figures, kernel::NoiseFamily family,
                                                                      const std::vector<double>& weights, kernel::Grant&& grant,
                                                                      exact::RandomBits& bits) {
  TACET_TRY(const auto plan, mechanisms::plan_numbers(family, figures.sensitivity(), weights, grant.loss()));
  return kernel::release(std::move(figures), plan, std::move(grant), bits);
}

inline Result<kernel::Released<kernel::NoisyCube>> release_planned_k_norm(SealedBox&& figures, kernel::Grant&& grant,
                                                                          exact::RandomBits& bits) {
  TACET_TRY(const auto plan, mechanisms::plan_k_norm(figures.sensitivity(), grant.loss()));
  return kernel::release_k_norm(std::move(figures), plan, std::move(grant), bits);
}

inline Result<kernel::Released<kernel::NoisyCubeProducts>> release_planned_cube_products(SealedBox&& figures,
                                                                                         const std::vector<double>& weights,
                                                                                         kernel::Grant&& grant, exact::RandomBits& bits) {
  TACET_TRY(const auto plan, mechanisms::plan_cube_products(figures.sensitivity(), weights, grant.loss()));
  return kernel::release_cube_products(std::move(figures), plan, std::move(grant), bits);
}

}  // namespace tacet::testing
