// tacet/schemas/column_text.h: reads the fields of one column of a schema. Private to this room.
//
//   data::Column age =
//       *read_column("age", fields, kernel::Relation::ReplaceOne, NamesPeople::No);
//
// The fields are described in schema_text.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/schemas/schema_tree.h"

namespace tacet::schemas {

/// In place of the value of a missing number: rows without the number count in no sum.
inline constexpr std::string_view kLeftOut = "left out";

/// True if a unit could be taken for a part of the number before it: the unit "0" would make 1 of
/// 10, and no unit may be "-".
bool may_belong_to_a_number(std::string_view unit);

/// Is it the column of `contributions`? Then missing values have a meaning without cells: they name
/// nobody.
enum class NamesPeople : std::uint8_t { No, Yes };

Result<data::Column> read_column(const std::string& name, const SchemaNode::Table& fields, kernel::Relation::Kind relation,
                                 NamesPeople people);

}  // namespace tacet::schemas
