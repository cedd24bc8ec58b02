// tacet/workflow/custody/budget_terms.h: the terms of a new budget besides its amount.
//
//   TACET_TRY(const privacy::Budget one, budget_of(Rho(1)));
//   kernel::Declaration terms = kernel::plain_terms(one, kernel::Relation::ReplaceOne);
//   TACET_CHECK(declare(terms, {.schema = schema, .custodian = "cleo"}));
//   TACET_TRY(const kernel::Share share, share_in({"ada", Rho(0.4)}, terms.budget.currency));
//
// create_budget() and adopt_dataset() use it.
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

/// The limit of an analyst, in the currency of the budget.
struct AnalystShare {
  std::string analyst;
  PrivacyAmount most;
};

/// InvalidArgument if the share is not in the currency of the budget.
Result<kernel::Share> share_in(const AnalystShare& share, privacy::Currency currency);

/// The terms that a custodian declares beside the budget itself.
struct DeclaredTerms {
  std::optional<data::Schema> schema = {};   // the public facts about the people
  std::optional<PrivacyAmount> others = {};  // the limit of all without a share together
  std::optional<std::string> source = {};    // of the data, if not the schema's
  std::optional<std::string> again = {};     // the reason for a second budget on the same source
  std::string custodian;
};

/// Adds them to the terms, whose budget is set.
Status declare(kernel::Declaration& terms, const DeclaredTerms& declared);

/// A reason is part of the ledger, which everybody can read: InvalidArgument if the text is blank.
/// `name` is that of the parameter.
Status check_reason(const std::string& name, const std::string& text);

}  // namespace tacet
