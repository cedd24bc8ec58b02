// apps/tacet/advice.h: advice of the library as it is typed: parameters ("rho = 0.125") as options
// ("--rho 0.125"), verbs ("`budget show`") as commands ("`tacet budget show`").
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/service/request_table.h"

namespace tacet::app {

/// Replaces every `name = value` whose name is a field of the verb by `--name value`, and
/// `name = true` of a flag by `--name`. A verb in backquotes becomes a command, with its own
/// options. Other text stays, and so does text between double quotes.
std::string as_typed(const std::string& advice, const std::vector<service::Field>& fields);

}  // namespace tacet::app
