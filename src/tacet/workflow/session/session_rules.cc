#include "tacet/workflow/session/session_rules.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/noise_plan.h"
#include "tacet/privacy/parameters.h"
#include "tacet/workflow/custody/source_register.h"

namespace tacet {

Result<Dataset> dataset_of(const SessionTerms& terms, const Context& context) {
  DatasetPlace place{.ledger = terms.ledger, .dataset = terms.dataset};
  if (terms.data) place.data = path_of_source(*terms.data);
  return Dataset::open(std::move(place), context);
}

Status check_only_budget(const SessionTerms& terms, const kernel::Custody& ledger) {
  TACET_TRY(const kernel::Terms kept, ledger.terms(terms.dataset));
  const kernel::Declaration& declared = kept.declared();
  bool another = !declared.again.empty();
  const std::string source = !declared.source.empty() ? declared.source : resolved_source(path_of_source(terms.data.value_or("")));
  for (const RegisteredDataset& holder : datasets_of_source(source))
    another = another || holder.ledger != ledger.name() || holder.dataset != terms.dataset;
  if (!another) return {};
  return Error::of(Code::Unsupported,
                   "the rows have another budget too, and what is released from it may say what to ask; so no promise of a session holds",
                   "ask single questions: release query");
}

Status check_open(const SessionTerms& terms, const SessionHistory& history, const kernel::Custody& ledger) {
  if (is_closed(terms)) return Error::of(Code::Unsupported, "the session is closed", "open another one: session open");
  if (history.amended) {
    return Error::of(Code::Unsupported,
                     "the terms of the dataset were amended since the session was opened, so its answers may be of other rows",
                     "close it, and open another one: session open");
  }
  TACET_CHECK(check_only_budget(terms, ledger));
  if (history.questions.size() < terms.queries) return {};
  return Error::of(Code::BudgetExhausted, fmt::format("the session was opened for {} questions, and all were asked", terms.queries),
                   "open another one: its widths hold for its own questions");
}

const SessionQuestion* paid_by(const SessionHistory& history, const kernel::Receipt& receipt) {
  const auto own = std::find_if(history.questions.begin(), history.questions.end(),
                                [&](const SessionQuestion& one) { return one.entry_hash == receipt.entry_hash; });
  return own == history.questions.end() ? nullptr : &*own;
}

Status check_admitted(const SessionTerms& terms, const SessionHistory& history, const kernel::Receipt& receipt) {
  const SessionQuestion* const own = paid_by(history, receipt);
  if (own != nullptr && own->number <= terms.queries) return {};
  return Error::of(Code::BudgetExhausted, "somebody else asked the last question of the session at the same time", "open another session");
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
