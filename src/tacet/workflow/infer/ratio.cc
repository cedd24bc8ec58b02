#include "tacet/workflow/infer/ratio.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/inference/counts/cramers_v.h"
#include "tacet/inference/level.h"
#include "tacet/workflow/infer/told_categories.h"

namespace tacet {
namespace {

constexpr const char* kRatioExample = "for example: of = \"ill=yes given smoker=yes\" to = \"ill=yes given smoker=no\"";

inference::Measure measure_of(RatioMeasure measure) {
  switch (measure) {
    case RatioMeasure::OddsRatio: return inference::Measure::OddsRatio;
    case RatioMeasure::Difference: return inference::Measure::Difference;
    case RatioMeasure::Ratio:
    case RatioMeasure::CramersV: break;
  }
  return inference::Measure::Ratio;
}

/// Where noise may be all there is in a row or a column, V would divide by it, and is not known.
Result<inference::CramersV> cramers_v_of(const CountRelease& release, const ToldTable& kept, const RatioOptions& options,
                                         const Context& context) {
  if (kept.untold) {
    return inference::CramersV{.reason = fmt::format("fewer than two categories of {} have people for sure: noise may be all there is",
                                                     kept.untold->empty() ? "a column" : in_quotes(*kept.untold))};
  }
  const inference::CollapsedTable cells(release, kept.class_of_cell, kept.classes());
  return inference::estimate_cramers_v(
      cells, {kept.rows.labels.size(), kept.columns.labels.size()},
      {.alpha = 1 - options.confidence, .simulation = told(options.simulation, context, "simulating tables")});
}

Result<RatioAnswer> infer_cramers_v(const CountRelease& release, const RatioOptions& options, const Context& context) {
  if (options.of || options.to) {
    return Error::invalid(options.of ? "of" : "to", "given", "must be left out for Cramer's V, which compares two columns",
                          "rows and columns name them");
  }
  TACET_TRY(const ColumnClasses all, two_columns(release, options.rows, options.columns));
  ToldTable kept = told_table(release, all);
  TACET_TRY(const inference::CramersV found, cramers_v_of(release, kept, options, context));
  const AboutWhom about = about_whom(release.header);
  RatioAnswer answer{RatioMeasure::CramersV, found.estimate, found.file, about.population(found.population),
                     options.confidence,     found.reason};
  answer.about = about;
  answer.left_out = std::move(kept.left_out);
  if (found.draws > 0) answer.draws = found.draws;
  if (release.axes.empty()) return answer;
  answer.rows = kept.rows.name;
  answer.columns = kept.columns.name;
  return answer;
}

}  // namespace

Result<RatioAnswer> infer_ratio(const CountRelease& release, const RatioOptions& options, const Context& context) {
  TACET_CHECK(inference::check_confidence(options.confidence));
  if (options.measure == RatioMeasure::CramersV) return infer_cramers_v(release, options, context);
  if (!options.of || !options.to)
    return Error::invalid(options.of ? "to" : "of", "missing", "must be a proportion to compare", kRatioExample);
  if (options.rows || options.columns) {
    return Error::invalid(options.rows ? "rows" : "columns", "given", "must be left out unless measure is cramers-v",
                          "the proportions name their columns themselves");
  }
  TACET_TRY(const inference::GroupedCells cells, grouped(release, *options.of, "of", options.to, "to"));
  const inference::Comparison found =
      inference::compare_proportions(cells, {0, 1}, {2, 3}, measure_of(options.measure), 1 - options.confidence);
  const AboutWhom about = about_whom(release.header);
  RatioAnswer answer{options.measure,    found.estimate,         found.file, about.population(found.population),
                     options.confidence, reason_of(found, about)};
  answer.proportions = {row_of(found.first, *options.of, about), row_of(found.second, *options.to, about)};
  answer.about = about;
  return answer;
}

}  // namespace tacet
