// tacet/service/share_field.h: an analyst's part of a budget, as it is written on a command line.
//
//   TACET_TRY(const kernel::Share share, parse_share("ada=0.5", privacy::Currency::Zcdp));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/privacy/currency.h"

namespace tacet::service {

/// "ada=0.5", or "ada=0.5/1e-7" in an (epsilon, delta) budget: the share in the same words as the budget itself.
Result<kernel::Share> parse_share(const std::string& text, privacy::Currency currency);
/// The amount alone, "0.2" or "0.2/1e-7": what --others says.
Result<privacy::Amount> parse_others(const std::string& text, privacy::Currency currency);

}  // namespace tacet::service
