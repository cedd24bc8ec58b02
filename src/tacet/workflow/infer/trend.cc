#include "tacet/workflow/infer/trend.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/workflow/infer/one_each.h"

namespace tacet {

Result<TrendAnswer> infer_trend(const CountRelease& release, const TrendOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  TACET_TRY(const ColumnClasses groups, classes_by(release, {options.by}, "by"));
  TACET_TRY(const std::vector<bool> event, cells_of(release, options.of, "of"));
  for (const ColumnChoice& choice : options.of.all_of) {
    if (choice.column != options.by) continue;
    return Error::invalid("of", fmt::format("\"{}\"", text_of(options.of)),
                          fmt::format("must not be about {}, along which the trend is", options.by), "name another column");
  }
  std::vector<bool> among(event.size(), true);
  if (options.given) {
    TACET_TRY(among, cells_of(release, *options.given, "given"));
  }
  // The cell of missing numbers stands behind the bins, but is nowhere along the column.
  std::vector<std::string> labels = groups.axes[0].labels;
  std::optional<std::string> left_out;
  if (const auto& edges = groups.axes[0].edges; !edges.empty() && labels.size() == edges.size()) {
    left_out = labels.back();
    labels.pop_back();
  }
  const std::size_t k = labels.size();
  std::vector<std::size_t> classes(event.size());
  for (std::size_t i = 0; i < event.size(); ++i) {
    const std::size_t at = groups.class_of_cell[i];
    classes[i] = among[i] && at < k ? at + (event[i] ? 0 : k) : 2 * k;
  }
  std::vector<double> scores = options.scores;
  if (scores.empty())
    for (std::size_t j = 0; j < k; ++j) scores.push_back(static_cast<double>(j + 1));
  const inference::GofOptions asked{.alpha = options.alpha, .simulation = told(options.simulation, context, "simulating tables")};
  TACET_TRY(inference::TrendTest found, inference::test_trend(inference::CollapsedTable(release, classes, 2 * k), scores, asked));
  TrendAnswer answer{count_test(std::move(found.test), asked), text_of(options.of), options.by};
  if (options.given) answer.given = text_of(*options.given);
  answer.categories = std::move(labels);
  answer.left_out = std::move(left_out);
  answer.scores = std::move(scores);
  answer.slope = found.slope;
  answer.file = found.file;
  answer.population = found.population;
  answer.interval_reason = std::move(found.interval_reason);
  return answer;
}

}  // namespace tacet
