// tests/kernel/purse.h: grants for tests that release, from budgets that none of them exhausts.
//
//   testing::Purse purse;
//   auto out = release(testing::sealed({5}, box), NoiseFamily::Gaussian, {1}, purse.grant(testing::rho_loss("0.1")), bits);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/kernel/ledger/ledger.h"
#include "tacet/kernel/vault.h"

#include "kernel/ledger_requests.h"

namespace tacet::testing {

/// A ledger in memory with a budget for each kind of loss, under replace-one.
class Purse {
 public:
  Purse() : ledger_(*kernel::Ledger::open(":memory:", true)) {
    create(kPure, epsilon_budget("1e6"));
    create(kApproximate, epsilon_delta_budget("1e6", "0.999"));
    create(kGaussian, rho_budget("1e6"));
  }
  Result<kernel::Grant> charge(const privacy::Loss& loss) { return ledger_.charge(request(loss, "ada", dataset_for(loss))); }
  kernel::Grant grant(const privacy::Loss& loss) { return *charge(loss); }

 private:
  static constexpr const char* kPure = "patients";
  static constexpr const char* kApproximate = "patients, with delta";
  static constexpr const char* kGaussian = "patients, in rho";

  static std::string dataset_for(const privacy::Loss& loss) {
    if (std::holds_alternative<privacy::PureLoss>(loss)) return kPure;
    return std::holds_alternative<privacy::ApproximateLoss>(loss) ? kApproximate : kGaussian;
  }
  void create(const char* dataset, const kernel::Declaration& made) {
    if (!ledger_.create_budget(dataset, made, {}).ok()) std::abort();
  }
  kernel::Ledger ledger_;
};

inline kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity> sealed(std::vector<Int128> values, kernel::BoxSensitivity bounds) {
  return kernel::Vault::trusted_seal(std::move(values), std::move(bounds));
}

}  // namespace tacet::testing
