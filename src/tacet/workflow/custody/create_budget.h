// tacet/workflow/custody/create_budget.h: sets the privacy budget of a dataset, once.
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const CreatedBudget created = *create_budget(
//       {.schema = schema, .total = Rho(1), .shares = {{"ada", Rho(0.4)}}, .others = Rho(0.2)},
//       {.analyst = "cleo"});
//   created.budget.custodian;           // "cleo", who may amend the terms
//
// The budget is for all analysts together. The schema becomes part of the terms, which are in the
// ledger from now on. No request can change the facts that they declare public. The ledger is
// created if there is none.
//
// The rule odometer sets no limit. Losses add up in rho, and the reading of the budget, an epsilon
// and a delta, holds at every moment (docs/explanation/odometers.md).
// Domain   shares and others are in the currency of the total. rule and slack: privacy/filter.h.
// Error    AlreadyExists if the dataset has a budget, or if its source has one elsewhere and
//          `again` gives no reason. A refusal leaves no new ledger.
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
  std::optional<data::Schema> schema = {};   // the public facts; without it no data can be read
  std::optional<std::string> ledger = {};    // its path; nothing: the schema's
  std::optional<std::string> dataset = {};   // nothing: the schema's
  std::optional<PrivacyAmount> total = {};   // must be given, unless the rule is odometer
  std::vector<AnalystShare> shares = {};     // analysts without one spend from `others`
  std::optional<PrivacyAmount> others = {};  // the limit of all without a share together
  std::optional<BudgetRule> rule = {};       // empty: plain sums
  std::optional<Digits> slack = {};          // of the rule whitehouse; nothing: half of delta
  /// Nothing: the schema's, or replace-one without a schema.
  std::optional<kernel::Relation::Kind> neighbours = {};
  std::optional<std::string> source = {};     // of the data, if not the schema's
  std::optional<std::string> again = {};      // the reason for a second budget on the same source
  std::optional<std::string> custodian = {};  // may amend the terms; nothing: the asking person
};

/// The new budget, and what may be a mistake in its terms.
struct CreatedBudget {
  BudgetSummary budget;
  std::vector<std::string> warnings;  // a file that does not exist yet, a column that it lacks
};

/// Writes the terms into the ledger, once.
Result<CreatedBudget> create_budget(const BudgetRequest& request, const Context& context = {});

}  // namespace tacet
