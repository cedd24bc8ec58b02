// tacet/service/error_json.h: an Error as the command line and a server show it.
//
//   const Error error = Error::invalid("rho", "-0.25", "must be greater than 0");
//   to_json(error);                  // {"error": {"code": "InvalidArgument", ...}}
//   int status = exit_code(error.code());
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tacet/base/error.h"

namespace tacet::service {

/// {"error": {"code", "name", "value", "rule", "remedy", "message", "spent"}}
nlohmann::json to_json(const Error& error);

/// "BudgetExhausted: ...; nothing was spent", on one line without control characters.
std::string sentence(const Error& error);

/// The exit code of the program: 1 refused request, 3 budget, 4 data or engine, 5 internal (2 is
/// usage, 0 success).
int exit_code(Code code);

}  // namespace tacet::service
