#include "tacet/privacy/filter.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/wide.h"
#include "tacet/exact/directed.h"
#include "tacet/privacy/losses.h"

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

}  // namespace

std::string_view name(FilterRule rule) {
  for (const Named& named : kRules) {
    if (named.rule == rule) return named.name;
  }
  return "unknown";
}

Step Step::of(const Loss& loss) {
  Step step;
  if (const auto* gaussian = std::get_if<GaussianLoss>(&loss)) {
    step.has_rho_ = step.has_mu_ = true;
    step.mu_squared_ = FixedDecimal::at_least(gaussian->mu_squared);
    step.rho_ = FixedDecimal::at_least(gaussian->mu_squared * *Decimal::parse("0.5"));
    return step;
  }
  const auto* pure = std::get_if<PureLoss>(&loss);
  const auto* approximate = std::get_if<ApproximateLoss>(&loss);
  const Decimal& epsilon = pure != nullptr ? pure->epsilon : approximate->epsilon;
  step.has_epsilon_ = true;
  step.epsilon_ = FixedDecimal::at_least(epsilon);
  step.epsilon_squared_ = FixedDecimal::at_least(epsilon * epsilon);
  const long double e = to_long_double(epsilon);
  step.drift_ = FixedDecimal::at_least(e * std::expm1(e) / 2, kFew * (1 + e));
  if (approximate != nullptr) step.delta_ = FixedDecimal::at_least(approximate->delta);
  if (step.delta_.is_zero()) {
    step.has_rho_ = true;
    step.rho_ = FixedDecimal::at_least(epsilon * epsilon * *Decimal::parse("0.5"));
  }
  return step;
}

Step Step::zcdp(const Rho& rho) {
  Step step;
  step.has_rho_ = true;
  step.rho_ = FixedDecimal::at_least(rho.value());
  return step;
}

Step Step::with(std::uint64_t times, const Step& other, std::uint64_t times_other) const {
  const auto sum = [&](const FixedDecimal& mine, const FixedDecimal& theirs) {
    FixedDecimal all = mine.times(times);
    all += theirs.times(times_other);
    return all;
  };
  Step both;
  both.has_epsilon_ = has_epsilon_ && other.has_epsilon_;
  both.has_rho_ = has_rho_ && other.has_rho_;
  both.has_mu_ = has_mu_ && other.has_mu_;
  both.epsilon_ = sum(epsilon_, other.epsilon_);
  both.delta_ = sum(delta_, other.delta_);
  both.epsilon_squared_ = sum(epsilon_squared_, other.epsilon_squared_);
  both.drift_ = sum(drift_, other.drift_);
  both.rho_ = sum(rho_, other.rho_);
  both.mu_squared_ = sum(mu_squared_, other.mu_squared_);
  return both;
}

Filter::Filter(FilterRule rule, Decimal epsilon, Decimal delta, Decimal slack)
    : rule_(rule), budget_(std::move(epsilon)), delta_(std::move(delta)), slack_(std::move(slack)) {
  const long double budget = to_long_double(budget_);
  switch (rule_) {
    case FilterRule::Basic:
      limit_ = FixedDecimal::at_most(budget_);
      delta_limit_ = FixedDecimal::at_most(delta_);
      break;
    case FilterRule::Rogers:
      limit_ = FixedDecimal::at_most(budget_);
      delta_limit_ = FixedDecimal::at_most(delta_ * *Decimal::parse("0.5"));
      log_ = std::log(2 / to_long_double(delta_));
      x_ = budget * budget / (kRogers * -std::log(to_long_double(delta_)));
      break;
    case FilterRule::Whitehouse: {
      // The largest V with sqrt(2 l V) + V/2 <= epsilon: its root is sqrt(2 l + 2 epsilon) - sqrt(2 l), written without cancellation.
      log_ = -std::log(to_long_double(slack_));
      const long double root = 2 * budget / (std::sqrt(2 * log_) + std::sqrt(2 * log_ + 2 * budget));
      limit_ = FixedDecimal::at_most(root * root, kFew);
      delta_limit_ = FixedDecimal::at_most(delta_ - slack_);
      break;
    }
    case FilterRule::Zcdp: limit_ = FixedDecimal::at_most(budget_); break;
    case FilterRule::Gdp: limit_ = FixedDecimal::at_most(budget_ * budget_); break;
  }
}

Result<Filter> Filter::basic(const Epsilon& epsilon, const Delta& delta) {
  return Filter(FilterRule::Basic, epsilon.value(), delta.value(), {});
}

Result<Filter> Filter::rogers(const Epsilon& epsilon, const Delta& delta) {
  if (delta.value().is_zero()) return positive_delta(delta);
  if (to_long_double(delta.value()) >= 1 / std::numbers::e_v<long double>) {
    return Error::invalid("delta", delta.value().to_string(), "must be less than 1/e for the rule rogers");
  }
  return Filter(FilterRule::Rogers, epsilon.value(), delta.value(), {});
}

Result<Filter> Filter::whitehouse(const Epsilon& epsilon, const Delta& delta, const Delta& slack) {
  if (delta.value().is_zero()) return positive_delta(delta);
  if (slack.value().is_zero() || slack.value() > delta.value()) {
    return Error::invalid("slack", slack.value().to_string(),
                          fmt::format("must be greater than 0 and at most delta, {}", delta.value().to_string()));
  }
  return Filter(FilterRule::Whitehouse, epsilon.value(), delta.value(), slack.value());
}

Filter Filter::zcdp(const Rho& rho) { return {FilterRule::Zcdp, rho.value(), {}, {}}; }
Filter Filter::gdp(const Mu& mu) { return {FilterRule::Gdp, mu.value(), {}, {}}; }

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

double Filter::spent() const { return amount(totals_); }

Result<double> Filter::spent_after(const Step& step, std::uint64_t times) const {
  TACET_CHECK(countable(step, times));
  return amount(after(step, times));
}

double Filter::amount(const Totals& totals) const {
  const long double first = totals.first.approximate();
  switch (rule_) {
    case FilterRule::Basic:
    case FilterRule::Zcdp: return exact::enlarged(first, kFew);
    case FilterRule::Rogers: return exact::enlarged(rogers_k(totals), kFew);
    case FilterRule::Whitehouse: return exact::enlarged(std::sqrt(2 * log_ * first) + first / 2, kFew);
    case FilterRule::Gdp: break;
  }
  return exact::enlarged(std::sqrt(first), kFew);
}

double Filter::delta_spent() const { return exact::enlarged(totals_.delta.approximate(), kFew); }

std::string Filter::state() const {
  return fmt::format("filter 1 {} {} {} {} {} {} {} {}", name(rule_), budget_.to_string(), delta_.to_string(), slack_.to_string(), steps_,
                     totals_.first.to_string(), totals_.drift.to_string(), totals_.delta.to_string());
}

Result<Filter> Filter::parse(std::string_view state) {
  const Error wrong =
      Error::invalid("filter", fmt::format("\"{}\"", state.substr(0, 60)), "must be the state of a filter, as state() writes it");
  std::vector<std::string_view> words;
  for (std::string_view rest = state; words.size() <= 10;) {
    const std::size_t end = rest.find(' ');
    words.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (words.size() != 10 || words[0] != "filter" || words[1] != "1") return wrong;
  const Named* rule = nullptr;
  for (const Named& named : kRules) {
    if (named.name == words[2]) rule = &named;
  }
  if (rule == nullptr) return wrong;
  std::uint64_t steps = 0;
  const auto [end, error] = std::from_chars(words[6].data(), words[6].data() + words[6].size(), steps);
  if (error != std::errc() || end != words[6].data() + words[6].size()) return wrong;
  TACET_TRY(const Delta delta, Delta::parse(words[4]));
  TACET_TRY(const Delta slack, Delta::parse(words[5]));
  // The budget passes through the same door as when it was made.
  Result<Filter> made = wrong;
  if (rule->rule == FilterRule::Zcdp) {
    TACET_TRY(const Rho rho, Rho::parse(words[3]));
    made = zcdp(rho);
  } else if (rule->rule == FilterRule::Gdp) {
    TACET_TRY(const Mu mu, Mu::parse(words[3]));
    made = gdp(mu);
  } else {
    TACET_TRY(const Epsilon epsilon, Epsilon::parse(words[3]));
    made = rule->rule == FilterRule::Basic    ? basic(epsilon, delta)
           : rule->rule == FilterRule::Rogers ? rogers(epsilon, delta)
                                              : whitehouse(epsilon, delta, slack);
  }
  TACET_TRY(Filter filter, std::move(made));
  TACET_TRY(filter.totals_.first, FixedDecimal::parse(words[7]));
  TACET_TRY(filter.totals_.drift, FixedDecimal::parse(words[8]));
  TACET_TRY(filter.totals_.delta, FixedDecimal::parse(words[9]));
  filter.steps_ = steps;
  if (filter.state() != state) return wrong;
  return filter;
}

}  // namespace tacet::privacy
