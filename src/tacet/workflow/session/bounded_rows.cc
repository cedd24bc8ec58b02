#include "tacet/workflow/session/bounded_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace tacet {
namespace {

/// The whole number for each cell: steps from the middle of the range.
std::vector<std::int32_t> weights_of(const schemas::CellNumbers& query) {
  const double middle = std::midpoint(query.lowest, query.highest), half = (query.highest - query.lowest) / 2;
  std::vector<std::int32_t> weights;
  for (const double number : query.numbers) {
    const double steps = std::round((number - middle) / half * kHalfSteps);
    weights.push_back(static_cast<std::int32_t>(std::clamp<double>(steps, -kHalfSteps, kHalfSteps)));
  }
  return weights;
}

}  // namespace

double BoundedRows::middle() const { return std::midpoint(query.lowest, query.highest); }

Status check_one_question(const SessionAsk& question) {
  if (question.fraction.has_value() != question.mean_of.has_value()) return {};
  return Error::invalid("query", question.fraction ? "given twice" : "missing", "must be one of fraction and mean-of",
                        "for example: fraction = \"age >= 40\"");
}

Result<BoundedRows> bounded_rows(const data::Schema& schema, const SessionAsk& question) {
  TACET_CHECK(check_one_question(question));
  TACET_TRY(schemas::CellNumbers query, question.fraction ? schemas::tabulate_fraction(schema, *question.fraction)
                                                          : schemas::tabulate_expression(schema, *question.mean_of));
  data::CountRequest rows{.by = query.columns, .bins = query.bins, .unit = data::CountUnit::Rows, .weights = weights_of(query)};
  const auto limit = data::person_limit(schema, rows.unit);
  if (!schema.relation.people_are_public() || !data::rows_are_public(limit, {})) {
    return Error::of(Code::Unsupported, "fractions and means of expressions need a public number of rows, each of another person",
                     "for counts of rows that satisfy a condition: release counts with where; for means of columns: release mean");
  }
  const auto [least, most] = std::minmax_element(rows.weights.begin(), rows.weights.end());
  const std::int64_t change = std::int64_t{*most} - *least;
  return BoundedRows{std::move(query), std::move(rows), change};
}

}  // namespace tacet
