// tacet/workflow/custody/terms_check.h: checks that a schema, the terms and the data file agree,
// and that releases can use them.
//
//   const auto difference = difference_from_terms(*place.schema, declared);
//   if (difference) show(*difference);      // source is "/b.csv", but the terms say "/a.csv"
//   TACET_TRY(const std::vector<std::string> warnings, check_new_terms(schema, "/a.csv"));
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

/// The resolved source from the given name and the schema; empty if neither has one. An error if
/// they differ: no release accepts a schema with another source than the terms.
Result<std::string> agreed_source(const std::optional<std::string>& named, const std::optional<data::Schema>& schema);

/// The first difference of a schema from the terms, in one sentence; nothing if they agree. A
/// schema without a source agrees with any, and terms without one get it from the first release.
std::optional<std::string> difference_from_terms(const data::Schema& asked, const data::Declared& terms);

/// Whether releases can read the declared columns from this source. `refusal`: they can read none
/// unless the file or the schema changes. `warnings`: some cannot be read, or not yet.
struct SourceFindings {
  std::optional<Error> refusal;
  std::vector<std::string> warnings;
};
/// Looks at the columns of the source. Reads no row.
SourceFindings check_source(const std::string& source, const data::Schema& schema);
/// The same for a table in memory, whose name alone tells nothing about its columns.
SourceFindings check_source(const MemoryTable& table, const data::Schema& schema);

/// A warning for each two texts of a column that are equal by the rule of data/coder.h: categories
/// or missing values that data cannot always tell apart.
std::vector<std::string> texts_alike(const data::Schema& schema);

/// For new terms: an error if no release could ever use them, and warnings about facts that may be
/// intended.
Result<std::vector<std::string>> check_new_terms(const data::Schema& schema, const std::string& source);

}  // namespace tacet
