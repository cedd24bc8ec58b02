// tacet/workflow/custody/create_budget.h: set the privacy budget of a dataset, once.
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const CreatedBudget created = *create_budget(
//       {.schema = schema, .total = Rho(1), .shares = {{"ada", Rho(0.4)}}, .others = Rho(0.2)},
//       {.analyst = "cleo"});
//   created.budget.custodian            // "cleo", who may amend the terms
//
// The budget is for all analysts together. The schema becomes part of the terms, which stand in
// the ledger from now on. No request changes what they call public. The ledger is made where
// there is none.
//
// Domain   shares and others are in the currency of the total. rule and slack: privacy/filter.h.
// Error    AlreadyExists if the dataset has a budget, or if its source has one elsewhere and
//          `again` does not say why. A refusal leaves no new ledger behind.
// Cost     one synced append; reads the names and types of the columns of the source, and no row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/relation.h"
#include "tacet/privacy/filter.h"
#include "tacet/workflow/budget_summary.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/custody/budget_terms.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using privacy::FilterRule;

/// The terms of a new budget.
struct BudgetRequest {
  std::optional<data::Schema> schema = {};   // what is public; without one no data can be read
  std::string ledger = {};                   // its path; empty: the schema's
  std::string dataset = {};                  // empty: the schema's
  std::optional<PrivacyAmount> total = {};   // must be given: there is no default for privacy
  std::vector<AnalystShare> shares = {};     // whoever has none then spends from `others`
  std::optional<PrivacyAmount> others = {};  // what all without a share may spend together
  std::optional<FilterRule> rule = {};       // nothing: plain sums
  std::optional<Digits> slack = {};          // of the rule whitehouse; nothing: half of delta
  /// Nothing: the schema's, or replace-one without a schema.
  std::optional<kernel::Relation::Kind> neighbours = {};
  std::optional<std::string> source = {};     // where the data is, if not the schema's
  std::optional<std::string> again = {};      // why there is a second budget for the same source
  std::optional<std::string> custodian = {};  // who may amend the terms; nothing: who asks
};

/// The new budget, and what may be a mistake in its terms.
struct CreatedBudget {
  BudgetSummary budget;
  std::vector<std::string> warnings;  // a file that is not there yet, a column that it lacks
};

/// Writes the terms into the ledger, once.
Result<CreatedBudget> create_budget(const BudgetRequest& request, const Context& context = {});

}  // namespace tacet
