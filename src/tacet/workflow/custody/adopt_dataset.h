// tacet/workflow/custody/adopt_dataset.h: continues the ledger of an earlier version.
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const AdoptedDataset adopted = *adopt_dataset(
//       {.schema = schema, .ledger = "new.ledger", .from = "old.ledger"}, {.analyst = "cleo"});
//   adopted.budget.spent;               // as in the old ledger, whose entries come first
//
// Budget, rule and shares stay those of the old ledger. The schema now declares the public facts.
// The old ledger is closed: no earlier version can charge it, and it continues in one ledger only.
// An analyst without a share there can spend nothing here, unless `others` gives an amount.
//
// Error    AlreadyExists if it continues in another ledger already; InvalidArgument if `from` is
//          not an old ledger, or has other neighbours than the schema. After an error the old
//          ledger is still open.
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
  std::optional<std::string> ledger = {};    // the new one; nothing: the schema's
  std::optional<std::string> dataset = {};   // as in the old ledger; nothing: the schema's
  std::string from;                          // the old ledger, of format 1 or 2
  std::optional<PrivacyAmount> others = {};  // the limit of all without a share together
  std::optional<std::string> source = {};    // of the data, if not the schema's
  std::optional<std::string> again = {};     // the reason for a second budget on the same source
};

/// The origin of the first entries.
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
  std::vector<std::string> warnings;         // about facts that may be intended
};

/// Goes on with a dataset of an older ledger: all that was spent stays spent.
Result<AdoptedDataset> adopt_dataset(const AdoptRequest& request, const Context& context = {});

}  // namespace tacet
