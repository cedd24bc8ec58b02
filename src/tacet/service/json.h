// tacet/service/json.h: the JSON of requests and answers.
//
//   std::string text = dump({{"rho", 0.125}});        // {"rho":0.125}
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tacet::service {

using Json = nlohmann::json;

/// The text of a JSON value. Bytes that are not UTF-8 (possible in file names) are replaced; they
/// never cause an exception.
std::string dump(const Json& value, int indent = -1);

}  // namespace tacet::service
