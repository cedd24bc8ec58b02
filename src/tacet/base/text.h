// tacet/base/text.h: UTF-8 checks, and names in messages whatever characters they contain.
//
//   in_quotes("a\"b\n");       // on one line, as TOML and JSON write it: "a\"b\n"
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tacet {

/// Escapes ASCII control characters and replaces bytes that are not UTF-8.
std::string in_quotes(std::string_view text);

/// RFC 3629: shortest forms only, no surrogates, at most U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace tacet
