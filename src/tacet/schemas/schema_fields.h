// tacet/schemas/schema_fields.h: the values of the fields of a schema. Private to this room.
//
//   const SchemaNode* dataset = find_field(fields, "dataset");       // null if it is not written
//   Result<std::string> name = text_of(*dataset, "dataset", "write: dataset = \"patients\"");
//
// Each function refuses a value of another kind, with the name of the field and the remedy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/schemas/schema_tree.h"

namespace tacet::schemas {

const SchemaNode* find_field(const SchemaNode::Table& table, std::string_view name);
/// `where` follows the name of the field: " under [csv]".
Status only_known_fields(const SchemaNode::Table& table, const std::string& where, const std::vector<std::string>& known);
Error missing_field(const std::string& name, const std::string& rule, const std::string& line);

/// A label, a name or a path: not empty, and without NUL, which would truncate it in C interfaces.
Result<std::string> text_of(const SchemaNode& node, const std::string& name, const std::string& remedy);
/// A label may be a text, an integer or a boolean; it is compared with the text of values.
Result<std::string> label_of(const SchemaNode& node, const std::string& name, const std::string& remedy);
/// At least one label, each once.
Result<std::vector<std::string>> labels_of(const SchemaNode& node, const std::string& name, const std::string& remedy);
/// A number, or a text that holds one.
Result<Decimal> number_of(const SchemaNode& node, const std::string& name);
/// The days since 1970-01-01, for a date of the years 1 to 9999 or a whole number of days.
Result<Decimal> date_of(const SchemaNode& node, const std::string& name);
Result<bool> flag_of(const SchemaNode& node, const std::string& name, const std::string& remedy);
/// One ASCII character that is no line break.
Result<char> character_of(const SchemaNode& node, const std::string& name, const std::string& example);

}  // namespace tacet::schemas
