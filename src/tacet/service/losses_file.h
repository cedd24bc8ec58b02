// tacet/service/losses_file.h: a list of losses, as a JSON file says what each mechanism gives away.
//
//   [{"epsilon": 0.1, "delta": 1e-9, "times": 30},     only (epsilon, delta)-DP is known; delta 0 and times 1 if not given
//    {"laplace": 0.2, "times": 5},                     Laplace noise: the scale is the sensitivity divided by 0.2
//    {"mu": 0.5},                                      Gaussian noise: the standard deviation is the sensitivity divided by 0.5
//    {"rho": 0.125}]                                   only rho-zCDP is known
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

/// InvalidArgument unless it is a list of objects, each with exactly one of the four ways above. What
/// their numbers may be is for compose_losses() to say.
Result<std::vector<RepeatedLoss>> read_losses(const std::string& path);
Result<std::vector<RepeatedLoss>> parse_losses(const Json& list);

}  // namespace tacet::service
