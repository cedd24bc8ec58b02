// tacet/schemas/schema_difference.h: in words, how a schema differs from the one that the terms of a budget hold.
//
//   first_difference(asked, kept);    // bounds of age are 0 to 150, but the terms say 0 to 120
//
// Checked  tests/schemas/schema_difference_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/data/schema.h"

namespace tacet::schemas {

/// The first thing in which `request` is not what the terms say, in one plain sentence without a full stop; nothing if both mean the same.
std::optional<std::string> first_difference(const data::Schema& request, const data::Schema& terms);

}  // namespace tacet::schemas
