// tacet/workflow/infer/told_categories.h: a table without categories that may be empty.
//
//   const CountRelease table = *read_release_as<CountRelease>("table.json");
//   const ColumnClasses all = *two_columns(table, std::nullopt, std::nullopt);
//   const ToldTable told = told_table(table, all);
//   const inference::CollapsedTable cells(table, told.class_of_cell, told.classes());
//   told.left_out;                                            // {"sex=other"}
//
// Cramer's V, residuals and strata divide by the number of people that a cell expects. In a
// category of nobody, such as an unused "other", this number is noise, and so would be the answer.
// So a category is left out if its number of people is not half a person above 0, or not three
// standard deviations of its noise. The answer is then about the people of the other categories.
// Domain   the last two columns are rows and columns; those before them, crossed, are strata.
//          Where fewer than two categories would remain, all stay, and `untold` names the column.
// Error    none.
// Cost     linear in the cells, and quadratic in the categories of a column.
// Derivation  docs/explanation/proportions.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/mechanisms/count_release.h"
#include "tacet/workflow/infer/table_event.h"

namespace tacet {

using mechanisms::CountRelease;

/// The classes of a table, stratum by stratum and row by row.
struct ToldTable {
  mechanisms::ReleaseAxis rows, columns;  // with the labels that stay
  std::size_t strata = 1;
  std::vector<std::size_t> class_of_cell;  // classes(): left out
  std::vector<std::string> left_out = {};  // "sex=other"
  std::optional<std::string> untold = {};  // rows or columns: fewer than two have people for sure

  std::size_t cells() const { return rows.labels.size() * columns.labels.size(); }  // of a stratum
  std::size_t classes() const { return strata * cells(); }
};

ToldTable told_table(const CountRelease& release, const ColumnClasses& all);

/// Which of the categories stay, by the category of each cell. A number beyond them: of none.
std::vector<bool> told_categories(const CountRelease& release, const std::vector<std::size_t>& category_of_cell, std::size_t categories);

}  // namespace tacet
