// tacet/workflow/custody/terms_check.h: do a schema, the terms of a budget and the file of people agree, and can any release use them?
//
//   if (const auto difference = difference_from_terms(*place.schema, declared)) ...     // source is "/b.csv", but the terms say "/a.csv"
//   TACET_TRY(const std::vector<std::string> warnings, check_new_terms(schema, source));
//
// Reads names and types of columns, and no row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/declared.h"
#include "tacet/data/schema.h"
#include "tacet/workflow/memory_table.h"

namespace tacet {

/// Where data is, by the name given and the schema together, resolved; empty where neither says. Refused if they say two different things: a
/// schema whose source is not that of the terms serves no release.
Result<std::string> agreed_source(const std::optional<std::string>& named, const std::optional<data::Schema>& schema);

/// The first thing in which a schema is not what the terms say, in one sentence; nothing if both mean the same. A schema that names no source
/// says nothing about it, and terms without one get theirs from the first release.
std::optional<std::string> difference_from_terms(const data::Schema& asked, const data::Declared& terms);

/// Can releases read the declared columns from this source? `refusal`: no column, as long as the file or the schema is what it is.
/// `warnings`: some, or not yet. Of a table in memory, the name says nothing about its columns, the table does.
struct SourceFindings {
  std::optional<Error> refusal;
  std::vector<std::string> warnings;
};
SourceFindings check_source(const std::string& source, const data::Schema& schema);
SourceFindings check_source(const MemoryTable& table, const data::Schema& schema);

/// For terms that are to be written: refuses what no release could ever use, and tells what may be on purpose.
Result<std::vector<std::string>> check_new_terms(const data::Schema& schema, const std::string& source);

}  // namespace tacet
