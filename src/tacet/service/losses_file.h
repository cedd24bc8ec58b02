// tacet/service/losses_file.h: a JSON file with a list of losses, one for each mechanism.
//
//   [{"epsilon": 0.1, "delta": 1e-9, "times": 30},
//    {"laplace": 0.2, "times": 5},
//    {"mu": 0.5},
//    {"rho": 0.125},
//    {"rho": 0.1, "xi": 0.02}]
//
//   epsilon   only (epsilon, delta)-DP is known; delta is 0 and times is 1 by default
//   laplace   Laplace noise: the scale is the sensitivity divided by 0.2
//   mu        Gaussian noise: the standard deviation is the sensitivity divided by 0.5
//   rho       only rho-zCDP is known, or (xi, rho)-zCDP
//
//   std::vector<RepeatedLoss> losses = *read_losses("losses.json");
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/service/json.h"
#include "tacet/workflow/privacy/compose.h"

namespace tacet::service {

/// InvalidArgument unless it is a list of objects, each with exactly one of the four fields above.
/// compose_losses() checks their numbers.
Result<std::vector<RepeatedLoss>> read_losses(const std::string& path);
Result<std::vector<RepeatedLoss>> parse_losses(const Json& list);

}  // namespace tacet::service
