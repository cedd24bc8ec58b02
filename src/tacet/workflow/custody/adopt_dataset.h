// tacet/workflow/custody/adopt_dataset.h: go on from the ledger of an earlier version.
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const AdoptedDataset adopted = *adopt_dataset(
//       {.schema = schema, .ledger = "new.ledger", .from = "old.ledger"}, {.analyst = "cleo"});
//   adopted.budget.spent                // as in the old ledger, whose entries come first
//
// Budget, rule and shares are those of the old ledger, for ever. The schema now says what is
// public. The old ledger is closed: no earlier version charges it any more, and it goes on in one
// ledger only. Whoever had no share there gets nothing here, unless `others` says how much.
//
// Error    AlreadyExists where it goes on elsewhere already; InvalidArgument where `from` is not
//          an old ledger, or has other neighbours than the schema. A refusal closes nothing.
// Cost     linear in the entries of the old ledger.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/workflow/budget_summary.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

/// Which dataset of an old ledger goes on in which new one.
struct AdoptRequest {
  data::Schema schema;
  std::string ledger = {};                   // the new one; empty: the schema's
  std::string dataset = {};                  // as in the old ledger; empty: the schema's
  std::string from;                          // the old ledger, of format 1 or 2
  std::optional<PrivacyAmount> others = {};  // what all without a share may spend together
  std::optional<std::string> source = {};    // where the data is, if not the schema's
  std::optional<std::string> again = {};     // why there is a second budget for the same source
};

/// Where the first entries come from.
struct OldLedger {
  std::string ledger;  // its path
  std::string name;    // in the receipts of its releases
  int format;
  std::string last_hash;
};

/// The budget as it goes on, and where it comes from.
struct AdoptedDataset {
  BudgetSummary budget;
  OldLedger adopted_from;
  std::vector<std::string> not_adopted_yet;  // the other datasets of the old ledger
  std::vector<std::string> warnings;         // what may be on purpose
};

/// Goes on with a dataset of an older ledger: all that was spent stays spent.
Result<AdoptedDataset> adopt_dataset(const AdoptRequest& request, const Context& context = {});

}  // namespace tacet
