// tacet/service/losses_file.h: a list of mechanisms, as a JSON file says what each gives away.
//
//   [{"epsilon": 0.1, "delta": 1e-9, "times": 30},     of which only (epsilon, delta)-DP is known; delta 0 and times 1 if not given
//    {"laplace": 0.2, "times": 5},                     Laplace noise whose scale is the sensitivity divided by 0.2
//    {"mu": 0.5},                                      Gaussian noise whose standard deviation is the sensitivity divided by 0.5
//    {"rho": 0.125}]                                   of which only rho-zCDP is known
//
//   std::vector<Mechanism> mechanisms = *read_losses("losses.json");
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/service/verb.h"

namespace tacet::service {

enum class MechanismKind : std::uint8_t { Known, Laplace, Gaussian, Zcdp };

struct Mechanism {
  MechanismKind kind;
  Decimal first, delta;  // epsilon, epsilon, mu or rho; delta for Known alone
  std::uint64_t times;
};

/// Domain   1 to 10^6 mechanisms, each with exactly one of the fields above; parameters as in privacy/currency.h. Else InvalidArgument.
Result<std::vector<Mechanism>> read_losses(const std::string& path);
Result<std::vector<Mechanism>> parse_losses(const Json& list);

}  // namespace tacet::service
