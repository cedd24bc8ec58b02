// tests/eigen/planned_eigen.h: a release by ED with the noise that is planned for what was paid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "tacet/eigen/release_eigen.h"

namespace tacet::testing {

inline Result<eigen::Idealised<eigen::NoisyEigen>> release_planned_eigen(
    kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity>&& moments, const std::vector<double>& weights, kernel::Grant&& grant,
    exact::RandomBits& bits) {
  TACET_TRY(const auto plan, eigen::plan_eigen(moments.sensitivity(), weights, grant.loss()));
  return eigen::release_eigen(std::move(moments), plan, std::move(grant), bits);
}

}  // namespace tacet::testing
