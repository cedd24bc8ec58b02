// tacet/schemas/words.h: parts of a schema in words, dates, and names in helpful messages.
//
//   listed({"smoking", "sex"});                     // "smoking", "sex"
//   day_of("2024-05-31");                           // 19874
//   did_you_mean("smokng", {"smoking", "sex"});     // did you mean "smoking"?
//   contribution_words(schema.contributions);       // at most 3 rows, named by patient
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

/// Quoted and separated by commas; a long list ends in "and 7 more".
std::string listed(const std::vector<std::string>& names);

/// A question with the nearest of `known`, or nothing if none is near.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& known);

/// Days since 1970-01-01, of a date such as 2024-05-31; nothing for any other text.
std::optional<Decimal> day_of(std::string_view date);

/// A TOML key: age, or "a.b" in quotes if TOML needs them.
std::string toml_key(std::string_view name);

/// What one person may contribute: "one row", or "at most 3 rows, named by patient".
std::string contribution_words(const std::optional<data::Contributions>& contributions);
/// Which files are neighbours: "replace-one (one person, with all their rows)".
std::string neighbour_words(const kernel::Relation& relation, const std::optional<data::Contributions>& contributions);

}  // namespace tacet::schemas
