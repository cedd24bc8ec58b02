#include "tacet/workflow/infer/margin.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/level.h"

namespace tacet {
namespace {

constexpr double kMostPairs = 1e9;
constexpr std::size_t kMostMarginRows = 10'000;

/// The condition of one category of each axis, from `first` to before `last`.
TableEvent category(const std::vector<mechanisms::ReleaseAxis>& axes, std::size_t row, std::size_t first, std::size_t last) {
  std::vector<ColumnChoice> choices(axes.size());
  for (std::size_t axis = axes.size(); axis-- > 0; row /= axes[axis].labels.size())
    choices[axis] = {axes[axis].name, {axes[axis].labels[row % axes[axis].labels.size()]}};
  const auto at = [&](std::size_t i) { return choices.begin() + static_cast<std::ptrdiff_t>(i); };
  return {{at(first), at(last)}};
}

/// Whole numbers from 0 to n.
Interval possible_people(double value, double reach, const std::optional<double>& n) {
  const double most = n.value_or(HUGE_VAL);
  const double nearest = std::clamp(std::nearbyint(value), 0.0, most);
  const double slack = 1e-9 * (1 + std::abs(value));
  return {std::min(nearest, std::clamp(std::ceil(value - reach - slack), 0.0, most)),
          std::max(nearest, std::clamp(std::floor(value + reach + slack), 0.0, most))};
}

}  // namespace

Result<MarginAnswer> infer_margin(const CountRelease& release, const MarginOptions& options) {
  TACET_CHECK(inference::check_confidence(options.confidence));
  if (options.of.empty())
    return Error::invalid("of", "missing", "must name at least one column of the release", "for example: of = smoking given = disease");
  std::vector<std::string> columns(options.given);
  columns.insert(columns.end(), options.of.begin(), options.of.end());
  TACET_TRY(const ColumnClasses classes, classes_by(release, columns, options.given.empty() ? "of" : "of or given"));
  if (classes.classes > kMostMarginRows || static_cast<double>(classes.classes) * static_cast<double>(release.values.size()) > kMostPairs) {
    return Error::invalid("of", fmt::format("{} categories", classes.classes),
                          fmt::format("must have at most {} categories in all, and fewer for a release of many cells", kMostMarginRows),
                          "choose fewer columns");
  }
  MarginAnswer answer{{}, options.of, options.given, {}, options.confidence, options.intervals, about_whom(release.header)};
  for (const auto& axis : classes.axes) answer.shape.push_back(axis.labels.size());
  double alpha = 1 - options.confidence;
  if (options.intervals == IntervalKind::Simultaneous) alpha /= static_cast<double>(classes.classes);
  std::size_t inner = 1;
  for (std::size_t axis = options.given.size(); axis < classes.axes.size(); ++axis) inner *= classes.axes[axis].labels.size();
  std::vector<inference::GroupMask> masks(release.values.size());
  for (std::size_t row = 0; row < classes.classes; ++row) {
    for (std::size_t cell = 0; cell < masks.size(); ++cell) {
      const std::size_t its = classes.class_of_cell[cell];
      masks[cell] = static_cast<inference::GroupMask>((its == row ? 1 : 0) + (its / inner == row / inner ? 2 : 0));
    }
    const inference::GroupedCells cells(release, masks);
    const auto weights = inference::GroupedCells::weights([](inference::GroupMask mask) { return (mask & 1) != 0 ? 1.0 : 0.0; });
    ProportionOf asked{category(classes.axes, row, options.given.size(), classes.axes.size())};
    if (!options.given.empty()) asked.given = category(classes.axes, row, 0, options.given.size());
    MarginRow found{row_of(inference::estimate_proportion(cells, {0, 1}, alpha), asked, answer.about)};
    found.count = cells.sum(0);
    found.count_in = possible_people(found.count, cells.noise(weights, 0).two_sided_quantile(alpha), release.n);
    answer.rows.push_back(std::move(found));
  }
  return answer;
}

}  // namespace tacet
