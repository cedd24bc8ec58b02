// tacet/schemas/schema_difference.h: the first difference of a schema from the terms, in words.
//
//   first_difference(schema, kept);   // bounds of age are 0 to 150, but the terms say 0 to 120
//
// Checked  tests/schemas/schema_difference_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/data/schema.h"

namespace tacet::schemas {

/// The first difference of `request` from `terms`, as one sentence without a full stop; empty if
/// they mean the same.
std::optional<std::string> first_difference(const data::Schema& request, const data::Schema& terms);

}  // namespace tacet::schemas
