// tacet/service/budget_view.h: which ledger and dataset a request means, and a budget as JSON and in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger.h"
#include "tacet/service/verb.h"

namespace tacet::service {

struct LedgerPlace {
  std::string ledger, dataset;
};

/// From --schema, or from --ledger and --dataset, which override what the schema says.
Result<LedgerPlace> ledger_place(const Json& request);
std::vector<Field> ledger_place_fields();

Json budget_json(const kernel::BudgetState& state, const std::string& ledger);
std::string budget_words(const Json& budget);

}  // namespace tacet::service
