// tacet/service/share_fields.h: parts of a budget as a command line has them.
//
//   parse_share("ada=0.5", privacy::Currency::Zcdp);              // {"ada", Rho("0.5")}
//   parse_others("0.2/1e-7", privacy::Currency::ApproximateDp);   // EpsilonDelta("0.2", "1e-7")
//
// A part is written in the currency of its budget, so the currency need not be named.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/workflow/custody/budget_terms.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet::service {

/// An analyst and their limit.
Result<AnalystShare> parse_share(const std::string& text, privacy::Currency currency);
/// Only the amount: the common limit of all analysts without a share.
Result<PrivacyAmount> parse_others(const std::string& text, privacy::Currency currency);

}  // namespace tacet::service
