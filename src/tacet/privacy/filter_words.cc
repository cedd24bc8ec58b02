#include "tacet/privacy/filter_words.h"

#include <algorithm>
#include <numbers>
#include <string>

#include <fmt/format.h>

namespace tacet::privacy {
namespace {

Decimal not_negative(const Decimal& value) { return std::max(value, Decimal()); }

/// The least decimal with 6 digits that is at least the finite `value`.
Decimal six_digits_up(double value) {
  const std::string nearest = fmt::format("{:.5e}", value);
  Decimal rounded = *Decimal::parse(nearest);
  if (rounded.to_rational() < mpq_class(value)) rounded = rounded + *Decimal::parse("0.00001" + nearest.substr(nearest.find('e')));
  return rounded;
}

bool is_advanced(FilterRule rule) { return rule == FilterRule::Rogers || rule == FilterRule::Whitehouse; }

Status check_rule(Currency currency, FilterRule rule) {
  if (rule == usual_rule(currency) || (is_advanced(rule) && currency == Currency::ApproximateDp)) return {};
  const bool pure = currency == Currency::PureDp, approximate = currency == Currency::ApproximateDp;
  return Error::invalid("rule", std::string(name(rule)),
                        fmt::format("must be {} for a budget in {}",
                                    approximate ? "basic, rogers or whitehouse" : name(usual_rule(currency)), name(currency)),
                        pure          ? "rogers and whitehouse need a budget with a delta: add delta = 1e-6"
                        : approximate ? "for many small releases: rule = whitehouse"
                                      : "other rules need a budget in epsilon and delta");
}

}  // namespace

Amount spent_amount(const Filter& filter) {
  const Filter::Totals& totals = filter.totals();
  return {is_advanced(filter.rule()) ? six_digits_up(filter.spent()) : Decimal(totals.first, kUnitLog10),
          Decimal(totals.delta, kUnitLog10)};
}

Amount remaining(const Filter& filter) {
  const Amount spent = spent_amount(filter);
  return {not_negative(filter.limit().first - spent.first), not_negative(filter.limit().second - spent.second)};
}

Status check_filter(const Budget& budget, FilterRule rule, const Decimal& slack) {
  TACET_CHECK(check_rule(budget.currency, rule));
  const Decimal& total = budget.total.first;
  // A total has the range of its currency; 0, which admits nothing, is allowed too.
  if (total < Decimal()) return Error::invalid("budget", total.to_string(), "must not be negative");
  if (budget.currency == Currency::Gdp && total > *Decimal::parse("1e12"))
    return Error::invalid("budget", total.to_string(), "must be a mu^2 of at most 1e12");
  if (budget.currency != Currency::Gdp && !total.is_zero())
    TACET_CHECK(check_positive(budget.currency == Currency::Zcdp ? "rho" : "epsilon", total));
  const Decimal& delta = budget.total.second;
  TACET_CHECK(check_delta(delta));
  if (rule != FilterRule::Whitehouse && !slack.is_zero())
    return Error::invalid("slack", slack.to_string(), "goes with the rule whitehouse only", "leave it out, or add rule = whitehouse");
  if (is_advanced(rule) && delta.is_zero())
    return Error::invalid("delta", "0", "must be greater than 0 for this rule", "with delta 0 only the rule basic holds");
  if (rule == FilterRule::Rogers && to_long_double(delta) >= 1 / std::numbers::e_v<long double>)
    return Error::invalid("delta", delta.to_string(), "must be less than 1/e for the rule rogers");
  if (rule == FilterRule::Whitehouse && (!slack.is_positive() || slack > delta)) {
    return Error::invalid("slack", slack.to_string(), fmt::format("must be greater than 0 and at most delta, {}", delta.to_string()));
  }
  return {};
}

}  // namespace tacet::privacy
