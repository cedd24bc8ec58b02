// tacet/workflow/custody/budget_terms.h: what the terms of a new budget say beside its amount.
//
//   TACET_CHECK(declare(terms, {.schema = schema, .custodian = "cleo"}));
//   TACET_TRY(const kernel::Share share, share_in({"ada", Rho(0.4)}, terms.budget.currency));
//
// create_budget() and adopt_dataset() share it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/privacy/currency.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

/// What an analyst may spend at most, in the currency of the budget.
struct AnalystShare {
  std::string analyst;
  PrivacyAmount most;
};

/// InvalidArgument if the share is not in the currency of the budget.
Result<kernel::Share> share_in(const AnalystShare& share, privacy::Currency currency);

/// The terms that a custodian declares beside the budget itself.
struct DeclaredTerms {
  std::optional<data::Schema> schema = {};   // what is public about the people
  std::optional<PrivacyAmount> others = {};  // what all without a share may spend together
  std::optional<std::string> source = {};    // where the data is, if not the schema's
  std::optional<std::string> again = {};     // why there is a second budget for the same source
  std::string custodian;
};

/// Adds them to the terms, whose budget is known.
Status declare(kernel::Declaration& terms, const DeclaredTerms& declared);

/// A reason stands in the ledger for everybody: InvalidArgument if the text is blank. `name` is
/// that of the parameter.
Status check_reason(const std::string& name, const std::string& text);

}  // namespace tacet
