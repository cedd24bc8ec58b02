// tacet/workflow/custody/amend_dataset.h: change the terms of a dataset, with a reason.
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const Dataset patients = *Dataset::open({.schema = schema}, {.analyst = "cleo"});
//   const AmendedDataset amended =
//       *amend_dataset(patients, {.reason = "the file was renamed", .source = "2026.csv"});
//   amended.changed                     // {AmendedTerm::Source}
//
// What differs from the terms changes: the schema of the place, its neighbours, and the source.
// The amendment is an entry of the history. Budget, rule and shares cannot be amended.
//
// Error    InvalidArgument for another than the custodian, for a blank reason, where nothing
//          changes, and for the neighbours once anything was charged.
// Cost     one synced append; reads names and types of columns, and no row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/workflow/custody/dataset_terms.h"
#include "tacet/workflow/dataset.h"

namespace tacet {

/// Why the terms change, and where the data is now.
struct AmendRequest {
  std::string reason;                      // why; it stands in the history for everybody
  std::optional<std::string> source = {};  // where the data is now, if the schema does not say it
};

/// A term that an amendment changed.
enum class AmendedTerm : std::uint8_t { Schema, Neighbours, Source };
constexpr auto names_of(AmendedTerm) {
  return std::to_array<Named<AmendedTerm>>(
      {{AmendedTerm::Schema, "schema"}, {AmendedTerm::Neighbours, "neighbours"}, {AmendedTerm::Source, "source"}});
}

/// The terms after the amendment, and what changed.
struct AmendedDataset {
  DatasetTerms terms;  // after the amendment
  std::vector<AmendedTerm> changed;
  std::vector<std::string> warnings;  // a file that is not there yet, a column that it lacks
};

/// Changes the terms of a dataset. Only its custodian may.
Result<AmendedDataset> amend_dataset(const Dataset& dataset, const AmendRequest& request);

}  // namespace tacet
