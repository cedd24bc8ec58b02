// tacet/service/privacy_fields.h: the four privacy fields of a request: rho, mu, epsilon, delta.
//
//   struct Request { std::optional<PrivacyAmount> loss; };
//   RequestTable<Request>().include(&Request::loss, privacy_table("what to spend"));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/service/request_table.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet::service {

/// The noise that a verb can add. Gaussian noise has no epsilon without a delta, and help says so.
enum class PossibleNoise : std::uint8_t { Any, Gaussian };

/// Refuses two ways at once, and a delta without an epsilon. The typed call refuses a request
/// without any.
RequestTable<std::optional<PrivacyAmount>> privacy_table(const std::string& what, PossibleNoise noise = PossibleNoise::Any);
/// The same for a verb with some of the four fields and its own help. Refuses a request without
/// any.
RequestTable<std::optional<PrivacyAmount>> privacy_table_of(std::vector<Field> fields);

/// "rho 0.5", "epsilon 1 and delta 1e-6": with the digits of the request.
std::string words(const PrivacyAmount& amount);
/// "(epsilon 1, delta 1e-6)-DP", "rho-zCDP with rho 0.5", "mu-GDP with mu 1".
std::string promise_words(const PrivacyAmount& amount);
/// "epsilon 1, delta 1e-6": the promise of one report of a person.
std::string local_promise_words(const PrivacyAmount& amount);

}  // namespace tacet::service
