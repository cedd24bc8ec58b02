#include "tacet/kernel/custody/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/privacy/filter.h"
#include "tacet/privacy/filter_words.h"

namespace tacet::kernel {

using privacy::Amount;
using privacy::Currency;

std::string loss_words(Currency currency, const privacy::Loss& loss) {
  if (const auto epsilon = privacy::pure_epsilon(loss)) return privacy::describe(Currency::PureDp, {*epsilon, {}});
  if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss))
    return privacy::describe(Currency::ApproximateDp, {approximate->epsilon, approximate->delta});
  const Currency own = currency == Currency::Zcdp ? Currency::Zcdp : Currency::Gdp;
  const auto amount = privacy::amount_in(own, loss);
  return amount.ok() ? privacy::describe(own, *amount) : std::string();
}

Result<std::string> charge_words(Currency currency, const privacy::Loss& loss) {
  TACET_TRY(const Amount charge, privacy::charge_in(currency, loss));
  const bool converted = privacy::pure_epsilon(loss) && (currency == Currency::Zcdp || currency == Currency::Gdp);
  std::string cost = privacy::describe(currency, charge);
  return converted ? fmt::format("{} ({})", loss_words(currency, loss), cost) : cost;
}

namespace {

/// Why `loss` does not fit into `budget` by `filter`. `where`: "the budget of ...".
Error no_room(const privacy::Filter& filter, const privacy::Budget& budget, const privacy::Loss& loss, const std::string& where) {
  const auto charged = charge_words(budget.currency, loss);
  const std::string needs = charged.ok() ? *charged : loss_words(budget.currency, loss);
  const bool one_number = budget.currency == Currency::PureDp || budget.currency == Currency::Zcdp;
  const auto words = [&](const Amount& amount) {
    return one_number ? amount.first.to_string() : privacy::describe(budget.currency, amount);
  };
  const Amount left = privacy::remaining(filter);
  // If losses do not simply add up, the remaining amount says little about one release.
  const std::string state =
      filter.rule() == privacy::usual_rule(budget.currency)
          ? fmt::format("{} of {} remains in {}", words(left), words(budget.total), where)
          : fmt::format("the rule {} has counted epsilon {} of {} in {}, and left delta {} for releases", name(filter.rule()),
                        privacy::spent_amount(filter).first.to_string(), budget.total.first.to_string(), where, left.second.to_string());
  return Error::of(Code::BudgetExhausted, fmt::format("the release needs {}, but {}", needs, state), "see what fits: `budget show`");
}

}  // namespace

Error with_amounts(const Error& refusal, const BudgetState& state, const std::string& analyst, const privacy::Loss& loss) {
  const privacy::Budget& budget = state.terms.budget;
  const auto step = privacy::step_in(budget.currency, loss);
  if (refusal.code() != Code::BudgetExhausted || !step) return refusal;
  const auto stops = [&](const privacy::Filter& filter) {
    const auto verdict = filter.ask(*step);
    return verdict.ok() && *verdict == privacy::Verdict::Stop;
  };
  const std::string where = fmt::format("the budget of \"{}\"", state.dataset);
  if (stops(state.filter)) return no_room(state.filter, budget, loss, where);
  const auto own = std::find_if(state.analysts.begin(), state.analysts.end(), [&](const auto& known) { return known.analyst == analyst; });
  if (own != state.analysts.end() && own->limit && stops(own->filter))
    return no_room(own->filter, {budget.currency, *own->limit}, loss, fmt::format("the share of \"{}\" in {}", analyst, where));
  if (!state.others || !stops(*state.others)) return refusal;
  return no_room(*state.others, {budget.currency, *state.terms.others}, loss,
                 fmt::format("what all without a share may spend of {}", where));
}

}  // namespace tacet::kernel
