// tacet/workflow/release/published.h: what a charged release gives back.
//
//   Published<CountRelease> table =
//       *release_counts(patients, {.by = {"smoking"}, .loss = Rho(0.125), .out = "smoking.json"});
//   table.release.values;                // noisy counts
//   *table.file;                         // "smoking.json"
//   words(table.budget->remaining);      // "rho 0.875"
//   table.paid_before.has_value();       // true: the same release had been paid for already
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/workflow/budget_summary.h"
#include "tacet/workflow/release/paid_before.h"

namespace tacet {

/// A charged release, its file, and the budget after it.
template <class Release>
struct Published {
  Release release;
  std::optional<std::string> file;             // empty: no file was asked for
  std::optional<BudgetSummary> budget;         // empty: the ledger could not be read afterwards
  std::optional<PaidBefore> paid_before = {};  // an earlier charge for the same release
};

}  // namespace tacet
