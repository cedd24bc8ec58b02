#include "tacet/workflow/budget_summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/room_left.h"
#include "tacet/accounting/zcdp_odometer.h"
#include "tacet/exact/rounding.h"
#include "tacet/kernel/custody/words.h"
#include "tacet/privacy/filter_words.h"
#include "tacet/schemas/schema_text.h"

namespace tacet {
namespace {

using privacy::Currency;
using privacy::FilterRule;

/// A loss of the kind that a budget is usually charged with.
privacy::Loss usual_loss(Currency currency) {
  const Decimal one(1);
  if (currency == Currency::PureDp) return privacy::PureLoss{one};
  if (currency == Currency::ApproximateDp) return privacy::ApproximateLoss{one, {}};
  return privacy::GaussianLoss{one};
}

/// The limit of an analyst besides the whole budget.
struct Limit {
  SpendsFrom from = SpendsFrom::Total;
  std::optional<privacy::Amount> most{};
  const privacy::Filter* filter = nullptr;  // of a share, and of the amount for others
};

Limit limit_of(const kernel::BudgetState& state, const std::string& analyst) {
  if (!state.shared) return {};
  for (const auto& known : state.analysts) {
    if (known.analyst == analyst && known.limit) return {SpendsFrom::Share, known.limit, &known.filter};
  }
  if (state.others) return {SpendsFrom::Others, state.terms.others, &*state.others};
  return {SpendsFrom::Nothing};
}

privacy::Amount smaller(const privacy::Amount& a, const privacy::Amount& b) {
  return {std::min(a.first, b.first), std::min(a.second, b.second)};
}

privacy::Amount remaining_in(const kernel::BudgetState& state, const Limit& limit) {
  if (limit.filter != nullptr) return smaller(privacy::remaining(*limit.filter), privacy::remaining(state.filter));
  return limit.from == SpendsFrom::Nothing ? privacy::Amount{} : privacy::remaining(state.filter);
}

/// Of two losses of one kind, the one that fits wherever either does.
privacy::Loss smaller(const privacy::Loss& a, const privacy::Loss& b) {
  if (const auto* left = std::get_if<privacy::GaussianLoss>(&a)) {
    if (const auto* right = std::get_if<privacy::GaussianLoss>(&b)) return left->mu_squared < right->mu_squared ? a : b;
  }
  if (const auto* left = std::get_if<privacy::PureLoss>(&a)) {
    if (const auto* right = std::get_if<privacy::PureLoss>(&b)) return left->epsilon < right->epsilon ? a : b;
  }
  const auto* left = std::get_if<privacy::ApproximateLoss>(&a);
  const auto* right = std::get_if<privacy::ApproximateLoss>(&b);
  if (left == nullptr || right == nullptr) return b;
  return privacy::ApproximateLoss{std::min(left->epsilon, right->epsilon), std::min(left->delta, right->delta)};
}

std::optional<std::string> largest_in(const kernel::BudgetState& state, const Limit& limit, const privacy::Loss& like) {
  const Currency currency = state.terms.budget.currency;
  if (limit.from == SpendsFrom::Nothing) return std::nullopt;
  auto largest = accounting::largest_like(state.filter, like);
  if (limit.filter != nullptr && largest) {
    const auto own = accounting::largest_like(*limit.filter, like);
    largest = own ? std::optional(smaller(*largest, *own)) : std::nullopt;
  }
  if (!largest) return std::nullopt;
  const auto* gaussian = std::get_if<privacy::GaussianLoss>(&*largest);
  return gaussian != nullptr && currency == Currency::Gdp ? words(BudgetAmount{currency, {gaussian->mu_squared, {}}})
                                                          : kernel::loss_words(currency, *largest);
}

/// The largest release like the last one, or before the first release, like a usual one.
std::optional<std::string> largest_in(const kernel::BudgetState& state, const Limit& limit) {
  return largest_in(state, limit, state.last ? state.last->loss : usual_loss(state.terms.budget.currency));
}

/// How many more releases like the last one fit.
void count_releases_left(const kernel::BudgetState& state, BudgetSummary& budget) {
  const Currency currency = state.terms.budget.currency;
  if (!state.last) return;
  // A loss that was charged once can be counted again.
  const auto step = privacy::step_in(currency, state.last->loss);
  const auto charged = kernel::charge_words(currency, state.last->loss);
  if (!step || !charged) return;
  const auto left_in = [&step](const privacy::Filter& filter) -> std::optional<std::uint64_t> {
    const auto left = accounting::times_left(filter, *step);
    return left ? std::optional<std::uint64_t>(*left) : std::nullopt;
  };
  budget.releases_left_like_last = left_in(state.filter);
  budget.last = LastCharge{state.last->analyst, *charged, {}, {}};
  const Limit last = limit_of(state, state.last->analyst);
  if (last.filter != nullptr)
    (last.from == SpendsFrom::Share ? budget.last->left_in_share : budget.last->left_in_others) = left_in(*last.filter);
  const Limit own = limit_of(state, budget.asker.analyst);
  std::optional<std::uint64_t> left = budget.releases_left_like_last;
  if (own.filter != nullptr && left) {
    const auto within = left_in(*own.filter);
    left = within ? std::optional(std::min(*left, *within)) : std::nullopt;
  }
  budget.asker.releases_left_like_last = own.from == SpendsFrom::Nothing ? 0 : left;
}

AskerSummary asker_summary(const kernel::BudgetState& state, const std::string& analyst) {
  const Currency currency = state.terms.budget.currency;
  const Limit limit = limit_of(state, analyst);
  std::optional<BudgetAmount> most;
  if (limit.most) most = BudgetAmount{currency, *limit.most};
  return {analyst, limit.from, std::move(most), {currency, remaining_in(state, limit)}, largest_in(state, limit), std::nullopt};
}

}  // namespace

std::string words(const BudgetAmount& amount, AmountIs what) {
  const Decimal& first = amount.amount.first;
  const std::string number = short_amount(first.to_string(), what);
  if (amount.currency == Currency::ApproximateDp)
    return fmt::format("epsilon {}, delta {}", number, short_amount(amount.amount.second.to_string(), what));
  if (amount.currency != Currency::Gdp) return fmt::format("{} {}", name(amount.currency), number);
  if (const std::optional<Decimal> root = first.exact_root()) return fmt::format("mu {}", short_amount(root->to_string(), what));
  return fmt::format("mu {} (mu^2 {})", short_amount(std::sqrt(first.approximate()), what), number);
}

privacy::Budget odometer_budget() { return {Currency::Zcdp, {Decimal(1'000'000), {}}}; }

BudgetRule BudgetSummary::counted_by() const {
  if (unlimited()) return BudgetRule::Odometer;
  switch (rule) {
    case FilterRule::Basic: return BudgetRule::Basic;
    case FilterRule::Rogers: return BudgetRule::Rogers;
    case FilterRule::Whitehouse: return BudgetRule::Whitehouse;
    case FilterRule::Zcdp: return BudgetRule::Zcdp;
    case FilterRule::Gdp: break;
  }
  return BudgetRule::Gdp;
}

std::string_view composition_words(FilterRule rule) {
  switch (rule) {
    case FilterRule::Basic:
    case FilterRule::Zcdp: return "losses add up";
    case FilterRule::Rogers: return "squares of epsilon and their drift add up";
    case FilterRule::Whitehouse: return "squares of epsilon add up";
    case FilterRule::Gdp: break;
  }
  return "squares of mu add up";
}

std::optional<std::string> largest_release(const kernel::BudgetState& state, const std::string& analyst, const privacy::Loss& like) {
  return largest_in(state, limit_of(state, analyst), like);
}

std::optional<OdometerReading> odometer_reading(const kernel::BudgetState& state) {
  const privacy::Filter::Totals& totals = state.filter.totals();
  const FilterRule rule = state.terms.rule;
  const auto units_of = [](const mpz_class& total) { return Decimal(total, privacy::kUnitLog10).to_rational(); };
  const auto double_up = [](const mpq_class& value) { return sgn(value) == 0 ? 0 : exact::least_double_at_least(value); };
  const mpq_class first = units_of(totals.first);
  if (rule == FilterRule::Basic) return OdometerReading{double_up(first), double_up(units_of(totals.delta))};
  // The filter leaves a fixed part of delta to the odometer, the rest to the deltas of releases:
  // a part that follows what was spent would be chosen with the results.
  const double whole = state.terms.budget.total.second.approximate();
  const double delta = rule == FilterRule::Whitehouse ? state.terms.slack.approximate()
                       : rule == FilterRule::Rogers   ? whole / 2
                                                      : kReadingDelta;
  // Squares of epsilon and of mu are twice the rho that they imply.
  const double rho = double_up(rule == FilterRule::Zcdp ? first : mpq_class(first / 2));
  const auto epsilon = accounting::zcdp_odometer(rho, delta * (1 - 1e-15));
  if (!epsilon) return std::nullopt;
  return OdometerReading{*epsilon, whole > 0 ? whole : kReadingDelta};
}

BudgetSummary budget_summary(const kernel::BudgetState& state, const std::string& ledger, const std::string& asker, int format) {
  const Currency currency = state.terms.budget.currency;
  const auto amount = [currency](const privacy::Amount& value) { return BudgetAmount{currency, value}; };
  BudgetSummary budget{.dataset = state.dataset,
                       .ledger = ledger,
                       .rule = state.terms.rule,
                       .slack = {},
                       .relation = {},
                       .contributions = {},
                       .source = {},
                       .custodian = state.terms.custodian,
                       .idealised_charges = static_cast<std::uint64_t>(state.idealised),
                       .sealed = state.sealed && format == kLedgerFormat,
                       .format = format,
                       .total = amount(state.terms.budget.total),
                       .spent = amount(privacy::spent_amount(state.filter)),
                       .remaining = amount(privacy::remaining(state.filter)),
                       .largest_release = largest_in(state, {}),
                       .entries = static_cast<std::uint64_t>(state.entries),
                       .charges = static_cast<std::uint64_t>(state.charges),
                       .analysts = {},
                       .others = {},
                       .asker = asker_summary(state, asker),
                       .last = {},
                       .releases_left_like_last = {},
                       .reading = odometer_reading(state)};
  if (format > 1) budget.relation = state.terms.relation;
  if (const auto schema = schemas::kept_schema(state.terms.schema)) budget.contributions = schema->contributions;
  if (state.terms.rule == FilterRule::Whitehouse) budget.slack = state.terms.slack;
  if (!state.terms.source.empty()) budget.source = state.terms.source;
  for (const auto& analyst : state.analysts) {
    std::optional<BudgetAmount> share;
    if (analyst.limit) share = amount(*analyst.limit);
    budget.analysts.push_back({analyst.analyst, amount(privacy::spent_amount(analyst.filter)), std::move(share),
                               amount(remaining_in(state, limit_of(state, analyst.analyst)))});
  }
  if (state.others && state.terms.others) {
    budget.others = OthersSummary{amount(*state.terms.others), amount(privacy::spent_amount(*state.others)),
                                  amount(smaller(privacy::remaining(*state.others), privacy::remaining(state.filter)))};
  }
  count_releases_left(state, budget);
  return budget;
}

}  // namespace tacet
