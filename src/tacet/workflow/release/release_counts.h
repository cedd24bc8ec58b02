// tacet/workflow/release/release_counts.h: publishes a table of counts with exact noise.
//
//   Dataset patients = *Dataset::open("patients.ledger", {.analyst = "team-3"});
//   Published<CountRelease> table = *release_counts(
//       patients, {.by = {"smoking", "disease"}, .loss = Epsilon(0.5), .out = "smoking.json"});
//   table.release.values;      // noisy counts, row-major; all inference on them is free
//
// The budget is charged first. Every row is in exactly one cell, for any contents of the file
// (data/counts.h), and a row is a person unless the terms say how many rows a person may have.
// A column with bounds may have bins of the request: {.by = {"age"}, .bins = {{"age", {"0", "40",
// "120"}}}, ...}.
// Domain   1 to 32 columns with declared categories or bins; at most 10^7 cells.
// Error    none: the guarantee holds for the bits that are published.
// Cost     one scan of the file; bench/counts_bench.cc compares it with a plain GROUP BY.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/counts.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/schemas/chosen_bins.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/release/published.h"

namespace tacet {

using data::CountUnit;
using mechanisms::CountMechanism;
using mechanisms::CountRelease;
using schemas::ColumnEdges;

/// The table to publish, its privacy and its mechanism.
struct CountRequest {
  std::vector<std::string> by;  // the columns to cross
  /// Cells of columns with bounds, in place of declared ones: schemas/chosen_bins.h.
  std::vector<ColumnEdges> bins = {};
  /// Where a person may have several rows: a person counts once in a cell, or each row counts.
  std::optional<CountUnit> count = {};           // empty: people
  std::optional<CountMechanism> mechanism = {};  // empty: by the loss, Laplace or Gaussian
  std::optional<std::string> where = {};         // the rows that count: schemas/row_condition.h
  std::optional<PrivacyAmount> loss = {};        // must be given: there is no default for privacy
  std::optional<std::string> out = {};           // the release file to write
};

/// Refuses before the charge if possible; after the charge the error says what was spent.
Result<Published<CountRelease>> release_counts(const Dataset& dataset, const CountRequest& request);

}  // namespace tacet
