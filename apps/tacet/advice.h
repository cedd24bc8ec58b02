// apps/tacet/advice.h: the library names parameters ("rho = 0.125"); people type options ("--rho 0.125").
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/service/request_table.h"

namespace tacet::app {

/// Every `name = value` whose name is a field of the verb becomes `--name value`; other words stay.
std::string with_dashes(const std::string& advice, const std::vector<service::Field>& fields);

}  // namespace tacet::app
