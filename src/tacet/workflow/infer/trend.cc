#include "tacet/workflow/infer/trend.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/infer/told_categories.h"

namespace tacet {
namespace {

/// The categories along which the trend is.
struct Line {
  std::vector<std::string> labels, left_out;
  std::vector<std::optional<std::size_t>> place;  // of each category of the column
  std::vector<double> scores;
};

Line line_of(const CountRelease& release, const ColumnClasses& groups, const std::vector<bool>& among, const std::vector<double>& scores) {
  const std::vector<std::string>& all = groups.axes[0].labels;
  // The cell of missing numbers stands behind the bins, but is nowhere along the column.
  const auto& edges = groups.axes[0].edges;
  const std::size_t along = all.size() - (!edges.empty() && all.size() == edges.size() ? 1 : 0);
  std::vector<std::size_t> category_of_cell;
  for (std::size_t i = 0; i < among.size(); ++i) category_of_cell.push_back(among[i] ? std::min(groups.class_of_cell[i], along) : along);
  const std::vector<bool> told = told_categories(release, category_of_cell, along);
  Line line;
  line.place.resize(all.size());
  for (std::size_t j = 0; j < all.size(); ++j) {
    if (j >= along || !told[j]) {
      line.left_out.push_back(all[j]);
      continue;
    }
    line.place[j] = line.labels.size();
    line.labels.push_back(all[j]);
    if (scores.empty() || scores.size() == along) line.scores.push_back(scores.empty() ? static_cast<double>(j + 1) : scores[j]);
  }
  if (!scores.empty() && scores.size() != along) line.scores = scores;  // for those that stay; else the test refuses
  return line;
}

}  // namespace

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
  const Line line = line_of(release, groups, among, options.scores);
  const std::size_t k = line.labels.size();
  std::vector<std::size_t> classes(event.size());
  for (std::size_t i = 0; i < event.size(); ++i) {
    const std::optional<std::size_t> at = line.place[groups.class_of_cell[i]];
    classes[i] = among[i] && at ? *at + (event[i] ? 0 : k) : 2 * k;
  }
  const inference::GofOptions asked{.alpha = options.alpha, .simulation = told(options.simulation, context, "simulating tables")};
  TACET_TRY(inference::TrendTest found, inference::test_trend(inference::CollapsedTable(release, classes, 2 * k), line.scores, asked));
  TrendAnswer answer{count_test(std::move(found.test), asked), text_of(options.of), options.by};
  if (options.given) answer.given = text_of(*options.given);
  answer.categories = line.labels;
  answer.left_out = line.left_out;
  answer.scores = line.scores;
  answer.slope = found.slope;
  answer.file = found.file;
  answer.population = found.population;
  answer.interval_reason = std::move(found.interval_reason);
  return answer;
}

}  // namespace tacet
