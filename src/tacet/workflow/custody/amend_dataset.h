// tacet/workflow/custody/amend_dataset.h: changes the terms of a dataset, with a reason.
//
//   const data::Schema schema = *schemas::read_schema("patients.toml");
//   const Dataset patients = *Dataset::open({.schema = schema}, {.analyst = "cleo"});
//   const AmendedDataset amended =
//       *amend_dataset(patients, {.reason = "the file was renamed", .source = "2026.csv"});
//   amended.changed;                    // {AmendedTerm::Source}
//
// The terms get the schema of the place, its neighbours and the source, as far as they differ. The
// amendment is an entry of the history. Budget, rule and shares cannot be amended.
//
// Error    InvalidArgument if another person than the custodian asks, if the reason is blank, if
//          nothing changes, or if neighbours or contributions change after the first charge.
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
  std::string reason;                      // part of the history, which everybody can read
  std::optional<std::string> source = {};  // the new place of the data, if not the schema's
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
  std::vector<std::string> warnings;  // a file that does not exist yet, a column that it lacks
};

/// Changes the terms of a dataset. Only its custodian may.
Result<AmendedDataset> amend_dataset(const Dataset& dataset, const AmendRequest& request);

}  // namespace tacet
