// tacet/workflow/infer/table_event.h: which people are meant, in the columns of a released table.
//
//   ProportionOf p = *parse_proportion("smoking=current|former given disease=yes", "of");
//   p.of.all_of[0].labels;                 // current, former
//   const std::vector<bool> cells = *cells_of(table, p.of, "of");
//
// Written: COLUMN=LABEL, or COLUMN=LABEL|LABEL for several; `and` joins conditions, and `given`
// separates the people among whom. Names that contain these words or signs stand in double quotes.
// A table without names has the columns 1, 2, ... with the labels 1, 2, ...
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet {

/// One column and the labels that are meant.
struct ColumnChoice {
  std::string column;
  std::vector<std::string> labels;
};

/// The people who fulfil every condition.
struct TableEvent {
  std::vector<ColumnChoice> all_of;
};

/// The part of the people of `given`, or of all, to whom `of` applies.
struct ProportionOf {
  TableEvent of;
  std::optional<TableEvent> given = {};
};

/// Messages call the text `parameter`.
Result<TableEvent> parse_event(const std::string& text, const std::string& parameter);
Result<ProportionOf> parse_proportion(const std::string& text, const std::string& parameter);

/// As it is written.
std::string text_of(const TableEvent& event);

/// For each cell, whether its people fulfil the event. InvalidArgument for a column or label that
/// the table does not have.
Result<std::vector<bool>> cells_of(const mechanisms::ReleasedTable& table, const TableEvent& event, const std::string& parameter);

/// The cells of a table by some of its columns.
struct ColumnClasses {
  std::vector<mechanisms::ReleaseAxis> axes;  // in the order asked for; the last runs fastest
  std::vector<std::size_t> class_of_cell;
  std::size_t classes = 1;
};
/// InvalidArgument, naming `parameter`, for a column that the table does not have, or has twice.
Result<ColumnClasses> classes_by(const mechanisms::ReleasedTable& table, const std::vector<std::string>& columns,
                                 const std::string& parameter);

/// The classes of two columns, rows first: those named (both, or neither for a table of two
/// columns). InvalidArgument unless each has two categories.
Result<ColumnClasses> two_columns(const mechanisms::ReleasedTable& table, const std::optional<std::string>& rows,
                                  const std::optional<std::string>& columns);

/// The axes of a table; made up for one without names.
std::vector<mechanisms::ReleaseAxis> axes_of(const mechanisms::ReleasedTable& table);

}  // namespace tacet
