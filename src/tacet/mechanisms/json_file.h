// tacet/mechanisms/json_file.h: public JSON from a file, within limits that no honest file reaches.
//
//   nlohmann::json values = *read_json_file("published.json", "values");
//
// A pipe that somebody writes to (/dev/stdin, a shell's process substitution) serves too; one that nobody writes to is empty.
// Domain   at most 1 GiB and 5 10^7 values, which take more memory than their text does; nested at most 64 deep, since a deeper value would
//          exhaust the stack of those who walk it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tacet/base/result.h"

namespace tacet::mechanisms {

/// `name` is the parameter that named the file. NotFound where it cannot be read; InvalidArgument where it is no JSON.
Result<nlohmann::json> read_json_file(const std::string& path, const std::string& name);

/// The text of any file, within the same limit. Its contents never stand in an error.
Result<std::string> read_text_file(const std::string& path, const std::string& name);

/// JSON from text that is already in memory; `shown` stands for it in messages.
Result<nlohmann::json> parse_json(const std::string& text, const std::string& name, const std::string& shown);

}  // namespace tacet::mechanisms
