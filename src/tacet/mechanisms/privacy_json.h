// tacet/mechanisms/privacy_json.h: how private a release is and where it was charged, as every release file says it.
//
//   {"currency": "gaussian", "mu": 0.5, "rho": 0.125, "neighbours": "replace-one", "charged": "rho 0.125"}
//   {"currency": "epsilon", "epsilon": 1, "delta": 0, "rho": 0.213, "mu": 0.708, ...}      Laplace noise: what it costs in rho, and in mu if asked
//   {"currency": null}                                                                    nobody said
//   {"ledger": "9f...", "dataset": "patients", "entry": 3, "entry_hash": "...", "statement_hash": "...", "charged": "rho 0.125"}
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "tacet/mechanisms/release_header.h"

namespace tacet::mechanisms {

nlohmann::json privacy_json(const std::optional<ReleasedPrivacy>& privacy);
/// Null without one.
nlohmann::json receipt_json(const std::optional<kernel::Receipt>& receipt);

}  // namespace tacet::mechanisms
