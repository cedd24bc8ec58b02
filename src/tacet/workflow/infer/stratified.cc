#include "tacet/workflow/infer/stratified.h"

#include <utility>

#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/infer/told_categories.h"

namespace tacet {

Result<StratifiedAnswer> infer_stratified(const CountRelease& release, const StratifiedOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  if (options.strata.empty())
    return Error::invalid("strata", "missing", "must name the columns whose categories are the strata", "for example: strata = age_group");
  std::vector<std::string> columns(options.strata);
  columns.insert(columns.end(), {options.rows, options.columns});
  TACET_TRY(const ColumnClasses all, classes_by(release, columns, "rows, columns or strata"));
  ToldTable kept = told_table(release, all);
  const inference::GofOptions asked{.alpha = options.alpha, .simulation = told(options.simulation, context, "simulating tables")};
  TACET_TRY(inference::StratifiedTest found,
            inference::test_stratified(inference::CollapsedTable(release, kept.class_of_cell, kept.classes()),
                                       {kept.strata, kept.rows.labels.size(), kept.columns.labels.size()}, asked));
  StratifiedAnswer answer{count_test(std::move(found.test), asked), options.rows, options.columns, options.strata};
  answer.row_labels = std::move(kept.rows.labels);
  answer.column_labels = std::move(kept.columns.labels);
  answer.left_out = std::move(kept.left_out);
  answer.odds_ratio = found.odds_ratio;
  answer.file = found.file;
  answer.population = found.population;
  answer.interval_reason = std::move(found.interval_reason);
  return answer;
}

}  // namespace tacet
