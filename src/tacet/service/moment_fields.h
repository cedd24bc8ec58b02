// tacet/service/moment_fields.h: reads the fields of a request that decide the noise of moments (workflow/moment_design.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/service/verb.h"
#include "tacet/workflow/moment_design.h"

namespace tacet::service {

/// "second-moment" and "covariance".
bool has_products(const std::string& kind);

/// How private, which must be said.
Result<PrivacyAmount> amount_field(const Json& request);
/// mechanism, or what suits the goal and the loss.
Result<MomentMechanism> mechanism_field(const Json& request, const std::string& kind, const privacy::Loss& asked, MomentGoal goal);
/// membership, or `usual` if not given.
Result<data::Membership> membership_field(const Json& request, data::Membership usual);

}  // namespace tacet::service
