#include "tacet/privacy/filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/directed.h"
#include "tacet/exact/enclosures.h"
#include "tacet/exact/fixed_point.h"
#include "tacet/privacy/noise_proofs.h"

namespace tacet::privacy {
namespace {

// Relative error of a few long double operations and glibc calls, each a few units of 2^-64.
constexpr long double kFew = 0x1p-58L;
// From the footnote of Theorem 5.5.1.
constexpr long double kRogers = 28.04L;

const Decimal kHalf = *Decimal::parse("0.5"), kLargestMuSquared = *Decimal::parse("1e12");
const mpq_class kUnits = Decimal(1, -kUnitLog10).to_rational();  // in one

mpz_class units_up(const mpq_class& value) { return exact::units_up(value * kUnits, 0); }
mpz_class units_up(const Decimal& value) { return units_up(value.to_rational()); }
mpz_class units_down(const Decimal& value) { return exact::units_down(value.to_rational() * kUnits, 0); }
Decimal to_decimal(const mpz_class& units) { return {units, kUnitLog10}; }
/// Rounded: relative error below 2^-60.
long double approximate(const mpz_class& units) {
  static_assert(GMP_NUMB_BITS == 64);
  long double sum = 0;
  for (std::size_t i = mpz_size(units.get_mpz_t()); i-- > 0;)
    sum = sum * 0x1p64L + static_cast<long double>(mpz_getlimbn(units.get_mpz_t(), static_cast<mp_size_t>(i)));
  return sum / 1e40L;
}

/// epsilon (e^epsilon - 1)/2, rounded up, by integers: the same on every machine.
mpz_class drift_of(const Decimal& epsilon) {
  static const Decimal most(90), beyond(1, 41);  // e^90 and 10^41 exceed every budget
  constexpr unsigned long kPrecision = 432;      // e^180 times the error of the bound is below 10^-40
  if (epsilon > most) return units_up(beyond);
  const mpq_class exact = epsilon.to_rational();
  const mpz_class below = exact::exp_minus_bounds(exact::units_up(exact, kPrecision), kPrecision, kPrecision).lower;
  mpq_class growth((mpz_class(1) << kPrecision) - below, 2 * below);
  growth.canonicalize();
  return units_up(exact * growth);
}

/// True if its threshold is not a decimal.
bool is_advanced(FilterRule rule) { return rule == FilterRule::Rogers || rule == FilterRule::Whitehouse; }

/// That of Filter::of; filter_words.h says what is wrong. A total has the range of its currency; 0,
/// which admits nothing, is allowed too.
bool in_domain(const Budget& budget, FilterRule rule, const Decimal& slack) {
  const auto& [currency, amount] = budget;
  const auto& [total, delta] = amount;
  const bool advanced = is_advanced(rule);
  const bool in_range = currency == Currency::Gdp ? total >= Decimal() && total <= kLargestMuSquared : check_positive("", total).ok();
  return (rule == usual_rule(currency) || (advanced && currency == Currency::ApproximateDp)) && (in_range || total.is_zero()) &&
         check_delta(delta).ok() && (!advanced || delta.is_positive()) &&
         (rule != FilterRule::Rogers || to_long_double(delta) < 1 / std::numbers::e_v<long double>) &&
         (rule == FilterRule::Whitehouse ? slack.is_positive() && slack <= delta : slack.is_zero());
}

}  // namespace

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
  if (const auto* gaussian = std::get_if<GaussianLoss>(&loss))
    return {.rho = units_up(gaussian->mu_squared * kHalf), .mu_squared = units_up(gaussian->mu_squared)};
  const auto* laplace = std::get_if<LaplaceLoss>(&loss);
  const auto* approximate = std::get_if<ApproximateLoss>(&loss);
  const Decimal epsilon = approximate != nullptr ? approximate->epsilon : *pure_epsilon(loss);
  const Decimal delta = approximate != nullptr ? approximate->delta : Decimal();
  Step step{.in_epsilon = InEpsilon{units_up(epsilon), units_up(epsilon * epsilon), drift_of(epsilon), units_up(delta)}};
  if (delta.is_zero()) step.rho = units_up(laplace != nullptr ? laplace->rho : epsilon * epsilon * kHalf);
  return step;
}

Filter::Filter(FilterRule rule, Decimal total, const Decimal& delta, const Decimal& slack) : rule_(rule), budget_(std::move(total)) {
  const long double budget = to_long_double(budget_);
  limit_ = units_down(budget_);
  if (rule_ == FilterRule::Basic) delta_limit_ = units_down(delta);
  if (rule_ == FilterRule::Rogers) {
    delta_limit_ = units_down(delta * kHalf);
    log_ = std::log(2 / to_long_double(delta));
    x_ = budget * budget / (kRogers * -std::log(to_long_double(delta)));
  }
  if (rule_ == FilterRule::Whitehouse) {
    // V = root^2, root = sqrt(2 l + 2 epsilon) - sqrt(2 l) with l = log(1/slack), not cancelling.
    log_ = -std::log(to_long_double(slack));
    const long double root = 2 * budget / (std::sqrt(2 * log_) + std::sqrt(2 * log_ + 2 * budget));
    limit_ = exact::units_down(mpq_class(exact::reduced(root * root, kFew)) * kUnits, 0);
    delta_limit_ = units_down(delta - slack);
  }
}

Result<Filter> Filter::of(const Budget& budget, FilterRule rule, const Decimal& slack) {
  if (in_domain(budget, rule, slack)) return Filter(rule, budget.total.first, budget.total.second, slack);
  return Error::invalid("rule", std::string(name(rule)), "must go with the currency, the total and the slack of the budget");
}

Status Filter::countable(const Step& step, std::uint64_t times) const {
  if (times == 0) return Error::invalid("times", "0", "must be at least 1");
  const bool counts = rule_ == FilterRule::Zcdp  ? step.rho.has_value()
                      : rule_ == FilterRule::Gdp ? step.mu_squared.has_value()
                                                 : step.in_epsilon.has_value();
  if (counts) return {};
  return Error::of(Code::Unsupported, fmt::format("a filter by the rule {} cannot count such a loss", name(rule_)),
                   "Gaussian losses: zcdp or gdp; pure losses: any rule but gdp; losses with a delta: basic, rogers or whitehouse");
}

Filter::Totals Filter::after(const Step& step, std::uint64_t times) const {
  const auto add = [times](mpz_class& total, const mpz_class& one) { mpz_addmul_ui(total.get_mpz_t(), one.get_mpz_t(), times); };
  Totals totals = totals_;
  switch (rule_) {
    case FilterRule::Basic: add(totals.first, step.in_epsilon->epsilon); break;
    case FilterRule::Rogers: add(totals.drift, step.in_epsilon->drift); [[fallthrough]];
    case FilterRule::Whitehouse: add(totals.first, step.in_epsilon->epsilon_squared); break;
    case FilterRule::Zcdp: add(totals.first, *step.rho); break;
    case FilterRule::Gdp: add(totals.first, *step.mu_squared); break;
  }
  if (step.in_epsilon) add(totals.delta, step.in_epsilon->delta);
  return totals;
}

// (5.12), enlarged by its rounding errors. It increases with every total.
long double Filter::rogers_k(const Totals& totals) const {
  const long double squares = approximate(totals.first);
  const long double root = std::sqrt(2 * (squares + x_) * (1 + std::log1p(squares / x_) / 2) * log_);
  return (approximate(totals.drift) + root) * (1 + 2 * kFew);
}

bool Filter::fits(const Totals& totals) const {
  if (totals.delta > delta_limit_) return false;
  if (rule_ != FilterRule::Rogers) return totals.first <= limit_;
  return rogers_k(totals) <= approximate(limit_) * (1 - kFew);
}

Result<Verdict> Filter::ask(const Step& step, std::uint64_t times) const {
  TACET_CHECK(countable(step, times));
  return fits(after(step, times)) ? Verdict::Go : Verdict::Stop;
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

Amount Filter::limit() const { return {is_advanced(rule_) ? budget_ : to_decimal(limit_), to_decimal(delta_limit_)}; }

double Filter::spent() const {
  if (totals_.first == 0) return 0;
  const long double first = approximate(totals_.first);
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
