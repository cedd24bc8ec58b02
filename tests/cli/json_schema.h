// tests/cli/json_schema.h: does a JSON value keep a JSON Schema? Knows what our tables write and
// nothing else.
//
//   EXPECT_EQ(violation(schema, value), "");       // or "privacy.mu: is text, must be number"
#pragma once

#include <string>

#include "tacet/service/json.h"

namespace tacet::test {

/// The first place where `value` breaks `schema`; empty if it keeps it. A keyword that is not known
/// is a violation.
std::string violation(const service::Json& schema, const service::Json& value, const std::string& where = "");

}  // namespace tacet::test
