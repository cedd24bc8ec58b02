#include "tacet/workflow/infer/residuals.h"

#include <algorithm>
#include <utility>

#include "tacet/inference/counts/residuals.h"
#include "tacet/workflow/infer/table_event.h"

namespace tacet {

Result<ResidualAnswer> infer_residuals(const CountRelease& release, const ResidualOptions& options, const Context& context) {
  if (options.rows.has_value() != options.columns.has_value()) {
    return Error::invalid(options.rows ? "columns" : "rows", "missing", "must name the other variable of the table",
                          "for example: rows = smoking columns = disease");
  }
  std::vector<std::string> columns;
  if (options.rows) {
    columns = {*options.rows, *options.columns};
  } else {
    TACET_CHECK(inference::two_way(release));
    for (const auto& axis : axes_of(release)) columns.push_back(axis.name);
  }
  TACET_TRY(const ColumnClasses classes, classes_by(release, columns, "rows or columns"));
  const std::vector<std::string>& row_labels = classes.axes[0].labels;
  const std::vector<std::string>& column_labels = classes.axes[1].labels;
  TACET_CHECK(inference::two_way({{}, {row_labels.size(), column_labels.size()}, {}}));
  const inference::CollapsedTable table(release, classes.class_of_cell, classes.classes);
  const Simulation simulation = told(options.simulation, context, "simulating tables");
  TACET_TRY(inference::CellResiduals found, inference::adjusted_residuals(table, {row_labels.size(), column_labels.size()},
                                                                          {.alpha = options.alpha, .simulation = simulation}));
  ResidualAnswer answer{columns[0], columns[1], {}, found.critical, options.alpha, std::move(found.reason), found.draws, simulation.seed};
  for (std::size_t i = 0; i < found.residuals.size(); ++i) {
    answer.cells.push_back({row_labels[i / column_labels.size()], column_labels[i % column_labels.size()], table.values()[i],
                            found.expected[i], found.residuals[i], found.p_values[i], found.p_values[i] <= options.alpha});
  }
  return answer;
}

}  // namespace tacet
