// tacet/schemas/words.h: names in helpful messages: lists and suggestions.
//
//   listed({"smoking", "sex"});                     // "smoking", "sex"
//   did_you_mean("smokng", {"smoking", "sex"});     // did you mean "smoking"?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacet::schemas {

/// Quoted and separated by commas; a long list ends in "and 7 more".
std::string listed(const std::vector<std::string>& names);

/// A question with the nearest of `known`, or nothing if none is near.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& known);

/// A TOML key: age, or "a.b" in quotes if TOML needs them.
std::string toml_key(std::string_view name);

}  // namespace tacet::schemas
