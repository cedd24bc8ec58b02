#include "tacet/workflow/infer/residuals.h"

#include <algorithm>
#include <utility>

#include "tacet/inference/counts/residuals.h"
#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/infer/told_categories.h"

namespace tacet {

Result<ResidualAnswer> infer_residuals(const CountRelease& release, const ResidualOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  TACET_TRY(const ColumnClasses all, two_columns(release, options.rows, options.columns));
  ToldTable kept = told_table(release, all);
  const std::vector<std::string>& row_labels = kept.rows.labels;
  const std::vector<std::string>& column_labels = kept.columns.labels;
  const inference::CollapsedTable table(release, kept.class_of_cell, kept.classes());
  const Simulation simulation = told(options.simulation, context, "simulating tables");
  TACET_TRY(inference::CellResiduals found, inference::adjusted_residuals(table, {row_labels.size(), column_labels.size()},
                                                                          {.alpha = options.alpha, .simulation = simulation}));
  ResidualAnswer answer{kept.rows.name,  kept.columns.name,       {}, found.critical, options.alpha, std::move(found.reason), found.draws,
                        simulation.seed, std::move(kept.left_out)};
  for (std::size_t i = 0; i < found.residuals.size(); ++i) {
    answer.cells.push_back({row_labels[i / column_labels.size()], column_labels[i % column_labels.size()], table.values()[i],
                            found.expected[i], found.residuals[i], found.p_values[i], found.p_values[i] <= options.alpha});
  }
  return answer;
}

}  // namespace tacet
