#include "tacet/workflow/infer/stratified.h"

#include <utility>

#include "tacet/workflow/infer/one_each.h"

namespace tacet {

Result<StratifiedAnswer> infer_stratified(const CountRelease& release, const StratifiedOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  if (options.strata.empty())
    return Error::invalid("strata", "missing", "must name the columns whose categories are the strata", "for example: strata = age_group");
  std::vector<std::string> columns(options.strata);
  columns.insert(columns.end(), {options.rows, options.columns});
  TACET_TRY(const ColumnClasses classes, classes_by(release, columns, "rows, columns or strata"));
  const auto& row_axis = classes.axes[classes.axes.size() - 2];
  const auto& column_axis = classes.axes.back();
  const std::size_t cells = row_axis.labels.size() * column_axis.labels.size();
  const inference::GofOptions asked{.alpha = options.alpha, .simulation = told(options.simulation, context, "simulating tables")};
  TACET_TRY(inference::StratifiedTest found,
            inference::test_stratified(inference::CollapsedTable(release, classes.class_of_cell, classes.classes),
                                       {classes.classes / cells, row_axis.labels.size(), column_axis.labels.size()}, asked));
  StratifiedAnswer answer{count_test(std::move(found.test), asked), options.rows, options.columns, options.strata};
  answer.row_labels = row_axis.labels;
  answer.column_labels = column_axis.labels;
  answer.odds_ratio = found.odds_ratio;
  answer.file = found.file;
  answer.population = found.population;
  answer.interval_reason = std::move(found.interval_reason);
  return answer;
}

}  // namespace tacet
