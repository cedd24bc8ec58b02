// tacet/schemas/schema_tree.h: TOML or JSON text as one kind of tree. Private to this room.
//
//   SchemaNode::Table fields = *parse_toml("dataset = \"patients\"");   // fields[0].key: dataset
//
// schema_text.cc interprets the fields. Keys keep their order, and a repeated key is an error in
// both languages. Errors give the line and never quote the text: it may be the data file, by
// mistake.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"

namespace tacet::schemas {

struct SchemaField;

struct SchemaNode {
  using List = std::vector<SchemaNode>;
  using Table = std::vector<SchemaField>;
  struct Integer {
    Decimal value;
  };
  struct Fraction {
    Decimal value;
  };
  struct Date {
    std::string text;  // 2024-05-31; only TOML has dates
  };
  struct Strange {  // null, a time, an infinite number: no schema field has one
    std::string shown;
  };
  std::variant<std::string, bool, Integer, Fraction, List, Table, Date, Strange> value;

  /// As TOML, shortened.
  std::string shown() const;
};

struct SchemaField {
  std::string key;
  SchemaNode node;
};

Result<SchemaNode::Table> parse_toml(std::string_view text);
Result<SchemaNode::Table> parse_json(std::string_view text);

}  // namespace tacet::schemas
