#include "tacet/privacy/filter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/base/wide.h"
#include "tacet/exact/directed.h"
#include "tacet/exact/exp_bounds.h"
#include "tacet/privacy/pure_as_gdp.h"

namespace tacet::privacy {
namespace {

using exact::FixedDecimal;

// Relative error of a few long double operations and library calls (glibc: at most a few units of 2^-64 each), and of decimals read into
// them.
constexpr long double kFew = 0x1p-58L;
// From the footnote of Theorem 5.5.1.
constexpr long double kRogers = 28.04L;

struct Named {
  FilterRule rule;
  std::string_view name;
};
constexpr std::array<Named, 5> kRules = {{{FilterRule::Basic, "basic"},
                                          {FilterRule::Rogers, "rogers"},
                                          {FilterRule::Whitehouse, "whitehouse"},
                                          {FilterRule::Zcdp, "zcdp"},
                                          {FilterRule::Gdp, "gdp"}}};

Error positive_delta(const Delta& delta) {
  return Error::invalid("delta", delta.value().to_string(), "must be greater than 0 for this rule",
                        "with delta 0 only the rule basic holds");
}

const Decimal kHalf = *Decimal::parse("0.5");

/// epsilon (e^epsilon - 1)/2, rounded up, from an integer below e^-epsilon: no library function enters, so it is the same on every machine.
FixedDecimal drift_of(const Decimal& epsilon) {
  static const Decimal most(90);             // e^90 is beyond the range of totals
  constexpr unsigned long kPrecision = 432;  // e^180 times the error of the bound is still below 10^-40
  if (epsilon > most) return FixedDecimal::unlimited();
  const mpq_class exact = epsilon.to_rational();
  mpz_class above;
  const mpz_class scaled = exact.get_num() << kPrecision;
  mpz_cdiv_q(above.get_mpz_t(), scaled.get_mpz_t(), exact.get_den_mpz_t());
  const mpz_class below = exact::exp_minus_bounds(above, kPrecision, kPrecision).lower;
  mpq_class growth((mpz_class(1) << kPrecision) - below, 2 * below);
  growth.canonicalize();
  return FixedDecimal::at_least(mpq_class(exact * growth));
}

Decimal to_decimal(const FixedDecimal& value) { return *Decimal::parse(value.to_string()); }
Decimal not_negative(const Decimal& value) { return std::max(value, Decimal()); }

/// The least decimal with 6 digits that is at least the finite `value`.
Decimal six_digits_up(double value) {
  const std::string nearest = fmt::format("{:.5e}", value);
  Decimal rounded = *Decimal::parse(nearest);
  if (rounded.to_rational() < mpq_class(value)) rounded = rounded + *Decimal::parse("0.00001" + nearest.substr(nearest.find('e')));
  return rounded;
}

Status check_rule(Currency currency, FilterRule rule) {
  const auto must = [&](std::string_view rules, std::string remedy) {
    return Error::invalid("rule", std::string(name(rule)), fmt::format("must be {} for a budget in {}", rules, name(currency)),
                          std::move(remedy));
  };
  switch (currency) {
    case Currency::PureDp:
      if (rule == FilterRule::Basic) return {};
      return must("basic", "rogers and whitehouse need a budget with a delta: add --delta 1e-6");
    case Currency::ApproximateDp:
      if (rule == FilterRule::Basic || rule == FilterRule::Rogers || rule == FilterRule::Whitehouse) return {};
      return must("basic, rogers or whitehouse", "for many small releases: --rule whitehouse");
    case Currency::Zcdp:
      if (rule == FilterRule::Zcdp) return {};
      return must("zcdp", "other rules need a budget in epsilon and delta");
    case Currency::Gdp: break;
  }
  if (rule == FilterRule::Gdp) return {};
  return must("gdp", "other rules need a budget in epsilon and delta");
}

/// The currency in which a rule counts; pure and approximate losses are counted alike.
Currency currency_of(FilterRule rule) {
  return rule == FilterRule::Zcdp ? Currency::Zcdp : rule == FilterRule::Gdp ? Currency::Gdp : Currency::ApproximateDp;
}

}  // namespace

std::string_view name(FilterRule rule) {
  for (const Named& named : kRules) {
    if (named.rule == rule) return named.name;
  }
  return "unknown";
}

Result<FilterRule> rule_named(std::string_view name) {
  for (const Named& named : kRules) {
    if (named.name == name) return named.rule;
  }
  return Error::invalid("rule", fmt::format("\"{}\"", name.substr(0, 40)), "must be one of basic, rogers, whitehouse, zcdp, gdp");
}

FilterRule usual_rule(Currency currency) {
  return currency == Currency::Zcdp ? FilterRule::Zcdp : currency == Currency::Gdp ? FilterRule::Gdp : FilterRule::Basic;
}

Result<Amount> charge_in(Currency currency, const Loss& loss) {
  Result<Amount> known = amount_in(currency, loss);
  const auto epsilon = pure_epsilon(loss);
  if (known.ok() || !epsilon) return known;
  if (currency == Currency::Zcdp) return Amount{*epsilon * *epsilon * kHalf, {}};
  TACET_TRY(const Decimal mu, mu_of_pure_up(*epsilon));
  return Amount{mu * mu, {}};
}

Result<Step> step_in(Currency currency, const Loss& loss) {
  TACET_TRY(const Amount charge, charge_in(currency, loss));
  // What is mu-GDP may be charged as a Gaussian: it is a post-processing of one (Dong, Roth & Su 2022, Theorem 2).
  return Step::of(currency == Currency::Gdp ? GaussianLoss{charge.first} : loss);
}

Step Step::of(const Loss& loss) {
  Step step;
  if (const auto* gaussian = std::get_if<GaussianLoss>(&loss)) {
    step.has_rho_ = step.has_mu_ = true;
    step.mu_squared_ = FixedDecimal::at_least(gaussian->mu_squared);
    step.rho_ = FixedDecimal::at_least(gaussian->mu_squared * kHalf);
    return step;
  }
  const auto* laplace = std::get_if<LaplaceLoss>(&loss);
  const auto* approximate = std::get_if<ApproximateLoss>(&loss);
  const Decimal epsilon = approximate != nullptr ? approximate->epsilon : *pure_epsilon(loss);
  step.has_epsilon_ = true;
  step.epsilon_ = FixedDecimal::at_least(epsilon);
  step.epsilon_squared_ = FixedDecimal::at_least(epsilon * epsilon);
  step.drift_ = drift_of(epsilon);
  if (approximate != nullptr) step.delta_ = FixedDecimal::at_least(approximate->delta);
  if (step.delta_.is_zero()) {
    step.has_rho_ = true;
    step.rho_ = FixedDecimal::at_least(laplace != nullptr ? laplace->rho : epsilon * epsilon * kHalf);
  }
  return step;
}

Step Step::zcdp(const Rho& rho) {
  Step step;
  step.has_rho_ = true;
  step.rho_ = FixedDecimal::at_least(rho.value());
  return step;
}

std::optional<Step::InEpsilon> Step::in_epsilon() const {
  if (!has_epsilon_) return std::nullopt;
  return InEpsilon{epsilon_, epsilon_squared_, drift_, delta_};
}

Filter::Filter(FilterRule rule, Decimal epsilon, Decimal delta, Decimal slack)
    : rule_(rule), budget_(std::move(epsilon)), delta_(std::move(delta)), slack_(std::move(slack)) {
  switch (rule_) {
    case FilterRule::Basic:
      limit_ = FixedDecimal::at_most(budget_);
      delta_limit_ = FixedDecimal::at_most(delta_);
      break;
    case FilterRule::Rogers: {
      const long double budget = to_long_double(budget_);
      limit_ = FixedDecimal::at_most(budget_);
      delta_limit_ = FixedDecimal::at_most(delta_ * kHalf);
      log_ = std::log(2 / to_long_double(delta_));
      x_ = budget * budget / (kRogers * -std::log(to_long_double(delta_)));
      break;
    }
    case FilterRule::Whitehouse: {
      // The largest V with sqrt(2 l V) + V/2 <= epsilon: its root is sqrt(2 l + 2 epsilon) - sqrt(2 l), written without cancellation.
      const long double budget = to_long_double(budget_);
      log_ = -std::log(to_long_double(slack_));
      const long double root = 2 * budget / (std::sqrt(2 * log_) + std::sqrt(2 * log_ + 2 * budget));
      limit_ = FixedDecimal::at_most(root * root, kFew);
      delta_limit_ = FixedDecimal::at_most(delta_ - slack_);
      break;
    }
    case FilterRule::Zcdp:
    case FilterRule::Gdp: limit_ = FixedDecimal::at_most(budget_); break;
  }
}

Result<Filter> Filter::basic(const Epsilon& epsilon, const Delta& delta) {
  return Filter(FilterRule::Basic, epsilon.value(), delta.value(), {});
}

Result<Filter> Filter::rogers(const Epsilon& epsilon, const Delta& delta) { return of(budget_of(epsilon, delta), FilterRule::Rogers, {}); }

Result<Filter> Filter::whitehouse(const Epsilon& epsilon, const Delta& delta, const Delta& slack) {
  return of(budget_of(epsilon, delta), FilterRule::Whitehouse, slack.value());
}

Filter Filter::zcdp(const Rho& rho) { return {FilterRule::Zcdp, rho.value(), {}, {}}; }
Filter Filter::gdp(const Mu& mu) { return {FilterRule::Gdp, mu.value() * mu.value(), {}, {}}; }

Result<Filter> Filter::of(const Budget& budget, FilterRule rule, const Decimal& slack) {
  TACET_CHECK(check_rule(budget.currency, rule));
  const Decimal& total = budget.total.first;
  // A total passes through the door of its currency; one of 0, which lets nothing through, has none.
  if (total < Decimal()) return Error::invalid("budget", total.to_string(), "must not be negative");
  if (budget.currency == Currency::Zcdp && !total.is_zero()) TACET_CHECK(Rho::of(total));
  if (currency_of(rule) == Currency::ApproximateDp && !total.is_zero()) TACET_CHECK(Epsilon::of(total));
  TACET_TRY(const Delta delta, Delta::of(budget.total.second));
  if (rule != FilterRule::Whitehouse && !slack.is_zero())
    return Error::invalid("slack", slack.to_string(), "goes with the rule whitehouse only", "leave it out, or add --rule whitehouse");
  const bool advanced = rule == FilterRule::Rogers || rule == FilterRule::Whitehouse;
  if (advanced && delta.value().is_zero()) return positive_delta(delta);
  if (rule == FilterRule::Rogers && to_long_double(delta.value()) >= 1 / std::numbers::e_v<long double>)
    return Error::invalid("delta", delta.value().to_string(), "must be less than 1/e for the rule rogers");
  if (rule == FilterRule::Whitehouse && (!slack.is_positive() || slack > delta.value())) {
    return Error::invalid("slack", slack.to_string(),
                          fmt::format("must be greater than 0 and at most delta, {}", delta.value().to_string()));
  }
  return Filter(rule, total, delta.value(), slack);
}

Status Filter::countable(const Step& step, std::uint64_t times) const {
  if (times == 0) return Error::invalid("times", "0", "must be at least 1");
  const bool counts = rule_ == FilterRule::Zcdp ? step.has_rho_ : rule_ == FilterRule::Gdp ? step.has_mu_ : step.has_epsilon_;
  if (counts) return {};
  return Error::of(Code::Unsupported, fmt::format("a filter by the rule {} cannot count such a loss", name(rule_)),
                   "Gaussian losses: zcdp or gdp; pure losses: any rule but gdp; losses with a delta: basic, rogers or whitehouse");
}

Filter::Totals Filter::after(const Step& step, std::uint64_t times) const {
  const auto all = [times](const FixedDecimal& one) { return times == 1 ? one : one.times(times); };
  Totals totals = totals_;
  switch (rule_) {
    case FilterRule::Basic: totals.first += all(step.epsilon_); break;
    case FilterRule::Rogers: totals.drift += all(step.drift_); [[fallthrough]];
    case FilterRule::Whitehouse: totals.first += all(step.epsilon_squared_); break;
    case FilterRule::Zcdp: totals.first += all(step.rho_); break;
    case FilterRule::Gdp: totals.first += all(step.mu_squared_); break;
  }
  if (!step.delta_.is_zero()) totals.delta += all(step.delta_);
  return totals;
}

// (5.12), enlarged by its rounding errors. It grows with every total.
long double Filter::rogers_k(const Totals& totals) const {
  const long double squares = totals.first.approximate();
  const long double root = std::sqrt(2 * (squares + x_) * (1 + std::log1p(squares / x_) / 2) * log_);
  return (totals.drift.approximate() + root) * (1 + 2 * kFew);
}

bool Filter::fits(const Totals& totals) const {
  if (totals.delta > delta_limit_) return false;
  if (rule_ != FilterRule::Rogers) return totals.first <= limit_;
  return !totals.first.is_unlimited() && !totals.drift.is_unlimited() && rogers_k(totals) <= limit_.approximate() * (1 - kFew);
}

Result<Verdict> Filter::ask(const Step& step, std::uint64_t times) const {
  TACET_CHECK(countable(step, times));
  return fits(after(step, times)) ? Verdict::Go : Verdict::Stop;
}

Result<Verdict> Filter::spend(const Step& step, std::uint64_t times) {
  TACET_CHECK(countable(step, times));
  const Totals totals = after(step, times);
  const std::optional<std::uint64_t> steps = checked_add(steps_, times);
  if (!fits(totals) || !steps) return Verdict::Stop;
  totals_ = totals;
  steps_ = *steps;
  return Verdict::Go;
}

Result<std::uint64_t> Filter::times_left(const Step& step) const {
  TACET_CHECK(countable(step, 1));
  std::uint64_t fit = 0;
  std::uint64_t too_many = 1;
  while (fits(after(step, too_many))) {
    fit = too_many;
    if (fit == kMostTimes) return fit;
    too_many = std::min(2 * too_many, kMostTimes);
  }
  while (too_many - fit > 1) {
    const std::uint64_t middle = fit + (too_many - fit) / 2;
    (fits(after(step, middle)) ? fit : too_many) = middle;
  }
  return fit;
}

std::optional<Loss> Filter::largest_like(const Loss& loss) const {
  const Amount room = remaining();
  const auto* approximate = std::get_if<ApproximateLoss>(&loss);
  // Laplace noise can be asked for in the currency of the budget.
  const bool gaussian = std::holds_alternative<GaussianLoss>(loss) ||
                        (std::holds_alternative<LaplaceLoss>(loss) && currency_of(rule_) != Currency::ApproximateDp);
  const auto of_size = [&](const Decimal& size) -> Loss {
    if (gaussian) return GaussianLoss{size};
    if (approximate != nullptr) return ApproximateLoss{size, room.second};
    return PureLoss{size};
  };
  if (gaussian ? currency_of(rule_) != Currency::ApproximateDp : rule_ == FilterRule::Basic) {
    if (!room.first.is_positive()) return std::nullopt;
    return of_size(rule_ == FilterRule::Zcdp ? room.first + room.first : room.first);
  }
  const auto decimal = [](int digits, int exponent) { return *Decimal::parse(fmt::format("{}e{}", digits, exponent)); };
  const auto goes = [&](int digits, int exponent) {
    const auto step = step_in(currency_of(rule_), of_size(decimal(digits, exponent)));
    return step.ok() && countable(*step, 1).ok() && fits(after(*step, 1));
  };
  constexpr int kLargest = 2;     // 9999e2: the largest epsilon
  constexpr int kSmallest = -44;  // 1000e-44: less is counted as much
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

Filter Filter::resumed(const Totals& totals) const {
  Filter filter = *this;
  filter.totals_ = totals;
  filter.steps_ = 0;
  return filter;
}

Result<Filter> Filter::forced(const Step& step, std::uint64_t times) const {
  TACET_CHECK(countable(step, times));
  return resumed(after(step, times));
}

bool Filter::kept() const {
  if (rule_ != FilterRule::Rogers && rule_ != FilterRule::Whitehouse) return fits(totals_);
  return totals_.delta <= delta_limit_ && spent() <= to_long_double(budget_) * (1 + 0x1p-40L);
}

Amount Filter::spent_amount() const {
  const bool advanced = rule_ == FilterRule::Rogers || rule_ == FilterRule::Whitehouse;
  return {advanced ? six_digits_up(spent()) : to_decimal(totals_.first), to_decimal(totals_.delta)};
}

Amount Filter::remaining() const {
  const bool advanced = rule_ == FilterRule::Rogers || rule_ == FilterRule::Whitehouse;
  const Amount spent = spent_amount();
  return {not_negative((advanced ? budget_ : to_decimal(limit_)) - spent.first), not_negative(to_decimal(delta_limit_) - spent.second)};
}

double Filter::spent() const {
  if (totals_.first.is_zero()) return 0;
  const long double first = totals_.first.approximate();
  switch (rule_) {
    case FilterRule::Basic:
    case FilterRule::Zcdp: return exact::enlarged(first, kFew);
    case FilterRule::Rogers: return exact::enlarged(rogers_k(totals_), kFew);
    case FilterRule::Whitehouse: return exact::enlarged(std::sqrt(2 * log_ * first) + first / 2, kFew);
    case FilterRule::Gdp: break;
  }
  return exact::enlarged(std::sqrt(first), kFew);
}

}  // namespace tacet::privacy
