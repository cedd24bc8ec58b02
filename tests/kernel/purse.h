// tests/kernel/purse.h: grants for tests that release, from budgets that none of them exhausts.
//
//   testing::Purse purse;
//   auto out = release(testing::sealed({5}, box), NoiseFamily::Gaussian, {1},
//                      purse.grant(testing::rho_loss("0.1")), bits);
//
// Every ledger in memory has the same name, so "patients" is the same dataset in all of them and a
// grant of one opens what was sealed for another. Ledgers on disk have names of their own
// (grant_test.cc).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/vault.h"

#include "kernel/ledger_requests.h"

namespace tacet::testing {

inline kernel::Custody ledger_in_memory(const kernel::Declaration& declared, const std::string& dataset = "patients") {
  kernel::Custody ledger = *kernel::Custody::open(":memory:");
  if (!ledger.create_budget(dataset, declared, {}).ok()) std::abort();
  return ledger;
}

/// The dataset "patients" of a ledger in memory.
inline const kernel::DatasetId& patients() {
  static const kernel::DatasetId id = ledger_in_memory(rho_budget("1")).terms("patients")->id();
  return id;
}

/// Three ledgers in memory, one for each kind of loss, under replace-one. Idealised mechanisms may
/// be charged.
class Purse {
 public:
  Result<kernel::Grant> charge(const privacy::Loss& loss, bool idealised = false) {
    kernel::ChargeRequest asked = request(loss);
    asked.idealised = idealised;
    return ledger_for(loss).charge(asked);
  }
  kernel::Grant grant(const privacy::Loss& loss, bool idealised = false) { return *charge(loss, idealised); }

 private:
  static kernel::Custody made(kernel::Declaration declared) {
    declared.idealised = true;
    return ledger_in_memory(declared);
  }
  kernel::Custody& ledger_for(const privacy::Loss& loss) {
    if (std::holds_alternative<privacy::PureLoss>(loss)) return pure_;
    return std::holds_alternative<privacy::ApproximateLoss>(loss) ? approximate_ : gaussian_;
  }
  kernel::Custody pure_ = made(epsilon_budget("1e6"));
  kernel::Custody approximate_ = made(epsilon_delta_budget("1e6", "0.999"));
  kernel::Custody gaussian_ = made(rho_budget("1e6"));
};

template <class T, class Bound>
kernel::Sensitive<T, Bound> sealed_for_patients(T values, Bound bounds) {
  return kernel::Vault::trusted_seal(std::move(values), std::move(bounds), patients());
}
inline kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity> sealed(std::vector<Int128> values, kernel::BoxSensitivity bounds) {
  return sealed_for_patients(std::move(values), std::move(bounds));
}

}  // namespace tacet::testing
