// tacet/schemas/expression/expression_tree.h: reads expressions about a row. Internal to this room.
//
//   ExpressionNode node = *parse_expression(schema, "(age - 40) / 80");
//   bool divides = node.kind == ExpressionNode::Divide;
//   expression_text(node);                        // "(age - 40) / 80"
//
// Columns exist and have bounds; conditions are in their normal form. Nothing is evaluated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/schemas/row_condition.h"

namespace tacet::schemas {

struct ExpressionNode {
  enum Kind : std::uint8_t { Number, Column, Holds, Add, Subtract, Multiply, Divide, Negate, Abs, Sqrt, Log, Exp, Min, Max };
  Kind kind = Number;
  Decimal number{};                     // of Number; of Column: what a missing value counts as
  std::string column{};                 // of Column
  bool has_default = false;             // of Column: if_missing gave a number
  Condition condition{};                // of Holds
  std::vector<ExpressionNode> parts{};  // the operands
};

/// Refusals name the parameter "mean-of".
Result<ExpressionNode> parse_expression(const data::Schema& schema, std::string_view text);

/// One spelling; parse_expression() reads it as the same expression.
std::string expression_text(const ExpressionNode& node);

}  // namespace tacet::schemas
