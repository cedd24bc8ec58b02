#include "tacet/privacy/filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/directed.h"
#include "tacet/exact/exp_bounds.h"
#include "tacet/exact/fixed_point.h"
#include "tacet/privacy/pure_as_gdp.h"

namespace tacet::privacy {
namespace {

using exact::FixedDecimal;

// Relative error of a few long double operations and glibc calls, each a few units of 2^-64.
constexpr long double kFew = 0x1p-58L;
// From the footnote of Theorem 5.5.1.
constexpr long double kRogers = 28.04L;

const Decimal kHalf = *Decimal::parse("0.5"), kLargestMuSquared = *Decimal::parse("1e12");

/// epsilon (e^epsilon - 1)/2, rounded up, by integers: the same on every machine.
FixedDecimal drift_of(const Decimal& epsilon) {
  static const Decimal most(90);             // e^90 exceeds the range of totals
  constexpr unsigned long kPrecision = 432;  // e^180 times the error of the bound is below 10^-40
  if (epsilon > most) return FixedDecimal::unlimited();
  const mpq_class exact = epsilon.to_rational();
  const mpz_class below = exact::exp_minus_bounds(exact::units_up(exact, kPrecision), kPrecision, kPrecision).lower;
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

/// True if its threshold is not a decimal.
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

Currency currency_of(FilterRule rule) {
  return rule == FilterRule::Zcdp ? Currency::Zcdp : rule == FilterRule::Gdp ? Currency::Gdp : Currency::ApproximateDp;
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
  // mu-GDP is a post-processing of a Gaussian (Dong, Roth & Su 2022, Theorem 2).
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

std::optional<Step::InEpsilon> Step::in_epsilon() const {
  if (!has_epsilon_) return std::nullopt;
  return InEpsilon{epsilon_, epsilon_squared_, drift_, delta_};
}

Filter::Filter(FilterRule rule, Decimal epsilon, Decimal delta, Decimal slack)
    : rule_(rule), budget_(std::move(epsilon)), delta_(std::move(delta)), slack_(std::move(slack)) {
  const long double budget = to_long_double(budget_);
  limit_ = FixedDecimal::at_most(budget_);
  if (rule_ == FilterRule::Basic) delta_limit_ = FixedDecimal::at_most(delta_);
  if (rule_ == FilterRule::Rogers) {
    delta_limit_ = FixedDecimal::at_most(delta_ * kHalf);
    log_ = std::log(2 / to_long_double(delta_));
    x_ = budget * budget / (kRogers * -std::log(to_long_double(delta_)));
  }
  if (rule_ == FilterRule::Whitehouse) {
    // V = root^2, root = sqrt(2 l + 2 epsilon) - sqrt(2 l) with l = log(1/slack), not cancelling.
    log_ = -std::log(to_long_double(slack_));
    const long double root = 2 * budget / (std::sqrt(2 * log_) + std::sqrt(2 * log_ + 2 * budget));
    limit_ = FixedDecimal::at_most(mpq_class(exact::reduced(root * root, kFew)));
    delta_limit_ = FixedDecimal::at_most(delta_ - slack_);
  }
}

Result<Filter> Filter::of(const Budget& budget, FilterRule rule, const Decimal& slack) {
  TACET_CHECK(check_rule(budget.currency, rule));
  const Decimal& total = budget.total.first;
  // A total has the range of its currency; 0, which admits nothing, is allowed too.
  if (total < Decimal()) return Error::invalid("budget", total.to_string(), "must not be negative");
  if (budget.currency == Currency::Zcdp && !total.is_zero()) TACET_CHECK(Rho::of(total));
  if (budget.currency == Currency::Gdp && total > kLargestMuSquared)
    return Error::invalid("budget", total.to_string(), "must be a mu^2 of at most 1e12");
  if (currency_of(rule) == Currency::ApproximateDp && !total.is_zero()) TACET_CHECK(Epsilon::of(total));
  TACET_TRY(const Delta delta, Delta::of(budget.total.second));
  if (rule != FilterRule::Whitehouse && !slack.is_zero())
    return Error::invalid("slack", slack.to_string(), "goes with the rule whitehouse only", "leave it out, or add rule = whitehouse");
  if (is_advanced(rule) && delta.value().is_zero())
    return Error::invalid("delta", "0", "must be greater than 0 for this rule", "with delta 0 only the rule basic holds");
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

// (5.12), enlarged by its rounding errors. It increases with every total.
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
  Totals totals = after(step, times);
  if (!fits(totals)) return Verdict::Stop;
  totals_ = std::move(totals);
  return Verdict::Go;
}

Filter Filter::resumed(const Totals& totals) const {
  Filter filter = *this;
  filter.totals_ = totals;
  return filter;
}

Result<Filter> Filter::forced(const Step& step, std::uint64_t times) const {
  TACET_CHECK(countable(step, times));
  return resumed(after(step, times));
}

bool Filter::kept() const {
  if (!is_advanced(rule_)) return fits(totals_);
  return totals_.delta <= delta_limit_ && spent() <= to_long_double(budget_) * (1 + 0x1p-40L);
}

Amount Filter::spent_amount() const {
  return {is_advanced(rule_) ? six_digits_up(spent()) : to_decimal(totals_.first), to_decimal(totals_.delta)};
}

Amount Filter::remaining() const {
  const Amount spent = spent_amount();
  return {not_negative((is_advanced(rule_) ? budget_ : to_decimal(limit_)) - spent.first),
          not_negative(to_decimal(delta_limit_) - spent.second)};
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
