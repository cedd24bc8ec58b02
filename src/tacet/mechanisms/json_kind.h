// tacet/mechanisms/json_kind.h: the kind of a JSON value in words, for messages.
//
//   json_kind(nlohmann::json::array());     // "a list"
//   json_kind(nullptr);                     // "null"
//
// A message about a value of the wrong kind says which kind it is, and never the value: a file that
// was given by mistake may hold data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tacet::mechanisms {

/// "a list", "an object", "a text", "a number", "true or false" or "null".
std::string json_kind(const nlohmann::json& value);

}  // namespace tacet::mechanisms
