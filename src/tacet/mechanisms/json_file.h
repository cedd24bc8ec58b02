// tacet/mechanisms/json_file.h: reads public JSON from a file of limited size.
//
//   nlohmann::json values = *read_json_file("published.json", "values");
//
// A pipe with a writer (/dev/stdin, a shell's process substitution) is read to its end; a pipe
// without a writer is empty.
// Domain   at most 1 GiB and 5 10^7 values, because values take more memory than their text;
//          nested at most 64 deep, because recursion over deeper values would exhaust the stack.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tacet/base/result.h"

namespace tacet::mechanisms {

/// `name` is the parameter that named the file. NotFound if it cannot be read; InvalidArgument if
/// it is not JSON.
Result<nlohmann::json> read_json_file(const std::string& path, const std::string& name);

/// The text of any file, within the same limit. Errors never contain the text.
Result<std::string> read_text_file(const std::string& path, const std::string& name);

/// JSON from text that is already in memory; `shown` stands for it in messages.
Result<nlohmann::json> parse_json(const std::string& text, const std::string& name, const std::string& shown);

}  // namespace tacet::mechanisms
