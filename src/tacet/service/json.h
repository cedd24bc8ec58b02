// tacet/service/json.h: the JSON of requests and answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tacet::service {

using Json = nlohmann::json;

/// The text of a JSON value. Bytes that are not UTF-8 (a file name may hold any) are replaced; this
/// never throws because of them.
std::string dump(const Json& value, int indent = -1);

}  // namespace tacet::service
