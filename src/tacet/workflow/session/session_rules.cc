#include "tacet/workflow/session/session_rules.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/mechanisms/noise_plan.h"
#include "tacet/privacy/parameters.h"

namespace tacet {

Status check_open(const SessionTerms& terms, const SessionHistory& history) {
  if (is_closed(terms)) return Error::of(Code::Unsupported, "the session is closed", "open another one: session open");
  if (history.amended) {
    return Error::of(Code::Unsupported,
                     "the terms of the dataset were amended since the session was opened, so its answers may be of other rows",
                     "close it, and open another one: session open");
  }
  if (history.questions.size() < terms.queries) return {};
  return Error::of(Code::BudgetExhausted, fmt::format("the session was opened for {} questions, and all were asked", terms.queries),
                   "open another one: its widths hold for its own questions");
}

PartOfBeta part_of_beta(const SessionTerms& terms, const SessionHistory& history, bool alone) {
  if (terms.fresh && alone) {
    const double mu_squared = 2 * terms.each.approximate() * static_cast<double>(terms.queries);
    return {kShareAlone * terms.beta, planning::GdpPromise{std::sqrt(mu_squared)}};
  }
  const double beta = terms.fresh ? (1 - kShareAlone) * terms.beta : terms.beta;
  const double total = history.total.approximate();
  if (history.currency == privacy::Currency::Gdp) return {beta, planning::GdpPromise{std::sqrt(total)}};
  return {beta, planning::ZcdpPromise{total}};
}

Result<double> epsilon_of_checks(const SessionTerms& terms) {
  TACET_TRY(const privacy::Rho each, privacy::Rho::of(terms.each));
  return mechanisms::pure_epsilon(privacy::gaussian_loss_from_rho(each), "exponential");
}

Result<double> session_width(const SessionTerms& terms, const SessionHistory& history, bool alone, double n, double sd) {
  const PartOfBeta part = part_of_beta(terms, history, alone);
  const planning::AdaptiveQueries queries{n, static_cast<double>(terms.queries), part.beta};
  if (terms.fresh && alone) return planning::cvar_width_at(queries, sd);
  return planning::cvar_width_within(queries, sd, part.told);
}

}  // namespace tacet
