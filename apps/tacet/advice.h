// apps/tacet/advice.h: turns parameters of the library ("rho = 0.125") into options ("--rho
// 0.125").
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/service/request_table.h"

namespace tacet::app {

/// Replaces every `name = value` whose name is a field of the verb by `--name value`; other text
/// stays.
std::string with_dashes(const std::string& advice, const std::vector<service::Field>& fields);

}  // namespace tacet::app
