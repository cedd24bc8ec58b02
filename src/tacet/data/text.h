// tacet/data/text.h: names of columns and files in messages and in TOML, whatever characters they hold.
//
//   in_quotes("a\"b\n")        ->  "a\"b\n" as TOML writes it, on one line
//   toml_key("age")         ->  age           toml_key("a.b")  ->  "a.b"
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tacet::data {

/// As a TOML basic string: control characters escaped, bytes that are not UTF-8 replaced. Always one line.
std::string in_quotes(std::string_view text);

/// As a key of TOML: bare where TOML allows it, else quoted.
std::string toml_key(std::string_view name);

}  // namespace tacet::data
