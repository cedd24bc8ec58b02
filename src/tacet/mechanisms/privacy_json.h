// tacet/mechanisms/privacy_json.h: the privacy and the receipt of a release, as JSON in its file.
//
//   ReleaseHeader header = header_of(*read_release("smoking.json"));
//   nlohmann::json privacy = privacy_json(header.privacy), receipt = receipt_json(header.receipt);
//
//   {"currency": "gaussian", "mu": 0.5, "rho": 0.125, "neighbours": "replace-one", ...}
//   {"currency": "epsilon", "epsilon": 1, "delta": 0, "rho": 0.213, "mu": 0.708, ...}
//                        // Laplace noise: its cost in rho, and in mu if asked
//   {"currency": null}   // unknown
//   {"ledger": "9f...", "dataset": "patients", "entry": 3, "entry_hash": "...",
//    "statement_hash": "...", "charged": "rho 0.125"}
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
