// tacet/schemas/words.h: names in messages that help (what there is, and what was perhaps meant), and whether they are text.
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

/// Whether all bytes are well-formed UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates).
bool is_utf8(std::string_view text);

}  // namespace tacet::schemas
