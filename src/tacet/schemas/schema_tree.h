// tacet/schemas/schema_tree.h: the text of a schema, TOML or JSON, as one kind of tree; what the fields mean is schema_text.cc's business.
//
// Private to this room. Keys keep the order in which they are written, and a key written twice is an error in both languages.
// Errors tell the line and never quote the text: by mistake it may be the data file that is read here.
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
  struct Strange {  // null, a date, an infinite number: what no field of a schema is
    std::string shown;
  };
  std::variant<std::string, bool, Integer, Fraction, List, Table, Strange> value;

  /// As it could stand in TOML, shortened.
  std::string shown() const;
};

struct SchemaField {
  std::string key;
  SchemaNode node;
};

Result<SchemaNode::Table> parse_toml(std::string_view text);
Result<SchemaNode::Table> parse_json(std::string_view text);

}  // namespace tacet::schemas
