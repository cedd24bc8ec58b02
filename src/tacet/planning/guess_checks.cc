#include "tacet/planning/guess_checks.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/planning/adaptive_width.h"

namespace tacet::planning {
namespace {

// Close to the best parts for every number of checks: sqrt(log(batches/beta) + 1) against
// sqrt(2 log(checks/beta)).
constexpr double kPartOfLevel = 0.4;

}  // namespace

Result<CheckWidths> check_widths(const GuessChecks& checks) {
  TACET_CHECK(check_queries({checks.n, checks.checks, checks.beta}));
  TACET_CHECK(check_queries({checks.n, checks.batches, checks.beta}));
  if (!(checks.epsilon > 0 && checks.epsilon <= 1000))
    return Error::invalid("epsilon", fmt::format("{}", checks.epsilon), "must be greater than 0 and at most 1000");
  const double one = 1 / (checks.n * checks.epsilon);
  CheckWidths widths{.level = one / kPartOfLevel, .own = 2 * one / (1 - kPartOfLevel), .allowance = 0, .file = 0, .population = 0};
  widths.allowance = widths.own * std::log(checks.checks / checks.beta);
  widths.file = widths.allowance + widths.level * std::log(checks.batches / checks.beta);
  widths.population = widths.file + widths.level;
  return widths;
}

}  // namespace tacet::planning
