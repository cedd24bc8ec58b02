#include "tacet/workflow/infer/residuals.h"

#include <algorithm>
#include <utility>

#include "tacet/inference/counts/residuals.h"
#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/infer/table_event.h"

namespace tacet {

Result<ResidualAnswer> infer_residuals(const CountRelease& release, const ResidualOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  TACET_TRY(const ColumnClasses classes, two_columns(release, options.rows, options.columns));
  const std::vector<std::string>& row_labels = classes.axes[0].labels;
  const std::vector<std::string>& column_labels = classes.axes[1].labels;
  const inference::CollapsedTable table(release, classes.class_of_cell, classes.classes);
  const Simulation simulation = told(options.simulation, context, "simulating tables");
  TACET_TRY(inference::CellResiduals found, inference::adjusted_residuals(table, {row_labels.size(), column_labels.size()},
                                                                          {.alpha = options.alpha, .simulation = simulation}));
  ResidualAnswer answer{classes.axes[0].name, classes.axes[1].name,    {},          found.critical,
                        options.alpha,        std::move(found.reason), found.draws, simulation.seed};
  for (std::size_t i = 0; i < found.residuals.size(); ++i) {
    answer.cells.push_back({row_labels[i / column_labels.size()], column_labels[i % column_labels.size()], table.values()[i],
                            found.expected[i], found.residuals[i], found.p_values[i], found.p_values[i] <= options.alpha});
  }
  return answer;
}

}  // namespace tacet
