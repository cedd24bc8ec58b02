// tacet/service/error_json.h: an Error as the command line and a server show it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tacet/base/error.h"

namespace tacet::service {

/// {"error": {"code", "name", "value", "rule", "remedy", "message", "spent"}}
nlohmann::json to_json(const Error& error);

/// "BudgetExhausted: ...; nothing was spent", on one line that a terminal shows as it is.
std::string sentence(const Error& error);

/// The program's exit code: 1 the request was refused, 3 budget, 4 data or engine, 5 internal (2 is usage, 0 done).
int exit_code(Code code);

}  // namespace tacet::service
