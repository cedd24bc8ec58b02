// tacet/schemas/condition_form.h: conditions with one meaning get one form. Internal to this room.
//
//   ConditionNode older{ConditionNode::Test, {"age", {Decimal(40)}, {0, 1, 1, 0}}, {}};
//   ConditionNode smokers{ConditionNode::Test, {"smoking", {}, {0, 1, 1, 0}}, {}};
//   ConditionNode form = normal_form(schema, {ConditionNode::And, {}, {smokers, older}});
//   form.constant();                            // true or false: it depends on no row
//   condition_text(schema, form);               // "age >= 40 and smoking in (current, former)"
//   filter_of(schema, form);
//
// Tests of one column under the same `and` or `or` become one test; cuts that part nothing are
// dropped; operands stand in the order of the schema. Two conditions with the same rows may still
// differ: that would need all combinations of tests.
// Cost     quadratic in the constants of a column.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/data/row_filter.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

struct ConditionNode {
  enum Kind : std::uint8_t { Test, And, Or };
  Kind kind = Test;
  // The classes of data/row_filter.h. A number may have no cuts: present and missing.
  data::ClassTest test{};
  std::vector<ConditionNode> parts{};  // of And and Or

  std::optional<bool> constant() const;
};

/// A column with bounds is compared as a number, also if it has categories too.
inline bool is_number(const data::Column& column) { return column.bounds.has_value(); }
/// The class of missing values: the last of a number, and the cell of a category if it has only
/// missing values.
std::optional<std::size_t> missing_class(const data::Column& column, std::size_t classes);

ConditionNode normal_form(const data::Schema& schema, ConditionNode node);

/// A condition that has this normal form.
std::string condition_text(const data::Schema& schema, const ConditionNode& node);

data::RowFilter filter_of(const data::Schema& schema, const ConditionNode& node);

/// A number of this column: 40, or 2024-05-31 if they are dates.
std::string number_text(const data::Column& column, const Decimal& number);

}  // namespace tacet::schemas
