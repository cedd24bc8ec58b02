#include "tacet/kernel/ledger/words.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace tacet::kernel {
namespace {

using privacy::Amount;
using privacy::Currency;
using privacy::Filter;
using privacy::FilterRule;

/// "0.0625 of 1", and where an amount has more than one part or is a square, in full: "mu 0.3 of mu 0.5".
std::string part_of(Currency currency, const Amount& part, const Amount& whole) {
  if (currency == Currency::PureDp || currency == Currency::Zcdp)
    return fmt::format("{} of {}", part.first.to_string(), whole.first.to_string());
  return fmt::format("{} of {}", privacy::describe(currency, part), privacy::describe(currency, whole));
}

/// What a loss would bring a budget to whose rule is no plain sum: there, "what remains" says little about one release.
std::string would_bring(const Filter& filter, const Amount& whole, const privacy::Loss& loss, const privacy::Step& step,
                        const std::string& where) {
  const Amount spent = filter.spent_amount();
  const Amount room = filter.remaining();
  if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss); approximate != nullptr && approximate->delta > room.second) {
    return fmt::format("the deltas in {} from {} to {}, above {}", where, spent.second.to_string(),
                       (spent.second + approximate->delta).to_string(), (spent.second + room.second).to_string());
  }
  const auto after = filter.forced(step);
  const bool finite = after.ok() && std::isfinite(after->spent());
  return fmt::format("{} from epsilon {} to {}, above {}", where, spent.first.to_string(),
                     finite ? after->spent_amount().first.to_string() : "infinity", whole.first.to_string());
}

}  // namespace

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

Error no_room(const Filter& filter, const privacy::Budget& budget, const privacy::Loss& loss, const privacy::Step& step,
              const std::string& where) {
  const auto charged = charge_words(budget.currency, loss);
  std::string sentence = fmt::format("the release needs {}, ", charged.ok() ? *charged : loss_words(budget.currency, loss));
  if (filter.rule() == FilterRule::Rogers || filter.rule() == FilterRule::Whitehouse) {
    sentence += fmt::format("which would bring {} (rule {})", would_bring(filter, budget.total, loss, step, where), name(filter.rule()));
  } else {
    sentence += fmt::format("but {} remains in {}", part_of(budget.currency, filter.remaining(), budget.total), where);
  }
  const std::optional<privacy::Loss> largest = filter.largest_like(loss);
  return Error::of(Code::BudgetExhausted, std::move(sentence),
                   largest ? fmt::format("a release of at most {} fits", loss_words(budget.currency, *largest)) : "it is used up");
}

}  // namespace tacet::kernel
