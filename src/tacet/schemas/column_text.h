// tacet/schemas/column_text.h: reads the fields of one column of a schema. Private to this room.
//
//   data::Column age = *read_column("age", fields, kernel::Relation::ReplaceOne);
//
// The fields are described in schema_text.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/schemas/schema_tree.h"

namespace tacet::schemas {

/// In place of the value of a missing number: rows without the number count in no sum.
inline constexpr std::string_view kLeftOut = "left out";

/// `person`: the column names the person of each row, so texts may mean that nobody is named.
Result<data::Column> read_column(const std::string& name, const SchemaNode::Table& fields, kernel::Relation::Kind relation,
                                 bool person = false);

}  // namespace tacet::schemas
