// tacet/mechanisms/privacy_json.h: how private a release is and where it was charged, as every release file says it.
//
//   {"currency": "gaussian", "mu": 0.5, "rho": 0.125, "neighbours": "replace-one", "charged": "rho 0.125"}
//   {"currency": "epsilon", "epsilon": 1, "delta": 0, "rho": 0.213, "mu": 0.708, ...}      Laplace noise: what it costs in rho, and in mu if asked
//   {"ledger": "9f...", "dataset": "patients", "entry": 3, "entry_hash": "...", "statement_hash": "...", "charged": "rho 0.125"}
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "tacet/kernel/grant.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

/// The currency and its parameters alone.
nlohmann::json loss_json(const privacy::Loss& loss);
/// Of one report that a person randomised: the same, with "neighbours": "local".
nlohmann::json local_privacy_json(const privacy::Loss& loss);
nlohmann::json privacy_json(const privacy::Loss& loss, const kernel::Relation& relation, const kernel::Receipt& receipt);
nlohmann::json receipt_json(const kernel::Receipt& receipt);

}  // namespace tacet::mechanisms
