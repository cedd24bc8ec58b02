#include "tacet/accounting/room_left.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "tacet/privacy/filter_words.h"

namespace tacet::accounting {

using privacy::Currency;
using privacy::Loss;
using privacy::Verdict;

Result<std::uint64_t> times_left(const privacy::Filter& filter, const privacy::Step& step) {
  TACET_CHECK(filter.ask(step));
  const auto fits = [&](std::uint64_t times) { return *filter.ask(step, times) == Verdict::Go; };
  std::uint64_t fit = 0;
  std::uint64_t too_many = 1;
  while (fits(too_many)) {
    fit = too_many;
    if (fit == kMostTimes) return fit;
    too_many = std::min(2 * too_many, kMostTimes);
  }
  while (too_many - fit > 1) {
    const std::uint64_t middle = fit + (too_many - fit) / 2;
    (fits(middle) ? fit : too_many) = middle;
  }
  return fit;
}

Currency currency_of(privacy::FilterRule rule) {
  using enum privacy::FilterRule;
  return rule == Zcdp ? Currency::Zcdp : rule == Gdp ? Currency::Gdp : Currency::ApproximateDp;
}

std::optional<Loss> largest_like(const privacy::Filter& filter, const Loss& loss) {
  const privacy::Amount room = privacy::remaining(filter);
  const Currency currency = currency_of(filter.rule());
  const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss);
  // A Laplace loss can be stated in the currency of the budget.
  const bool gaussian = std::holds_alternative<privacy::GaussianLoss>(loss) ||
                        (std::holds_alternative<privacy::LaplaceLoss>(loss) && currency != Currency::ApproximateDp);
  const auto of_size = [&](const Decimal& size) -> Loss {
    if (gaussian) return privacy::GaussianLoss{size};
    if (approximate != nullptr) return privacy::ApproximateLoss{size, room.second};
    return privacy::PureLoss{size};
  };
  if (gaussian ? currency != Currency::ApproximateDp : filter.rule() == privacy::FilterRule::Basic) {
    if (!room.first.is_positive()) return std::nullopt;
    return of_size(currency == Currency::Zcdp ? room.first + room.first : room.first);
  }
  const auto decimal = [](int digits, int exponent) { return *Decimal::parse(fmt::format("{}e{}", digits, exponent)); };
  const auto goes = [&](int digits, int exponent) {
    const auto step = privacy::step_in(currency, of_size(decimal(digits, exponent)));
    if (!step.ok()) return false;
    const auto verdict = filter.ask(*step);
    return verdict.ok() && *verdict == Verdict::Go;
  };
  constexpr int kLargest = 2;     // 9999e2: the largest epsilon
  constexpr int kSmallest = -44;  // 1000e-44: a smaller epsilon would be rounded up to it
  int exponent = kLargest;
  while (!goes(1000, exponent)) {
    if (--exponent < kSmallest) return std::nullopt;
  }
  int fit = 1000;
  for (int too_large = 10000; too_large - fit > 1;) {
    const int middle = (fit + too_large) / 2;
    (goes(middle, exponent) ? fit : too_large) = middle;
  }
  return of_size(decimal(fit, exponent));
}

}  // namespace tacet::accounting
