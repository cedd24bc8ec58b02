// tacet/schemas/words.h: names in messages that help: what there is, and what was perhaps meant.
//
//   listed({"smoking", "sex"})                      ->  "smoking", "sex"
//   did_you_mean("smokng", {"smoking", "sex"})      ->  did you mean "smoking"?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacet::schemas {

/// Quoted and separated by commas; a long list ends in "and 7 more".
std::string listed(const std::vector<std::string>& names);

/// A question that names the nearest of `known`, or nothing when none is near.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& known);

/// As a key of TOML: age, or "a.b" in quotes where TOML does not allow it bare.
std::string toml_key(std::string_view name);

}  // namespace tacet::schemas
