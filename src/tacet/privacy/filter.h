// tacet/privacy/filter.h: a budget that holds even when every next loss is chosen after seeing the last result.
//
// Composition theorems need all parameters in advance. A filter does not: it says before each mechanism whether the budget still allows
// it. Whoever obeys it has kept the promise of the budget, however the losses were chosen and whenever one stopped.
//
//   Filter filter = *Filter::whitehouse(*Epsilon::parse("1"), *Delta::parse("1e-6"), *Delta::parse("1e-6"));
//   Step step = Step::of(pure_loss(*Epsilon::parse("0.01")));
//   if (*filter.spend(step) == Verdict::Go) { /* run the mechanism */ }
//
//   rule        promise           goes on while                                               and sum delta_i <=   source
//   basic       epsilon, delta    sum eps_i <= epsilon                                         delta               Rogers 5.3.7
//   rogers      epsilon, delta    K of (5.12) <= epsilon                                       delta/2             Rogers 5.5.1
//   whitehouse  epsilon, delta    sqrt(2 log(1/slack) V) + V/2 <= epsilon, V = sum eps_i^2     delta - slack       [WRRW]
//   zcdp        rho               sum rho_i <= rho                                                                 Rogers 5.7
//   gdp         mu                sum mu_i^2 <= mu^2                                                               [ST]
//
// [WRRW] Whitehouse, Ramdas, Rogers & Wu (2023), arXiv:2203.05481. [ST] Smith & Thakurta (2022), arXiv:2210.17520.
//
// Which rule: whitehouse beats rogers always, and basic as soon as there are many small losses. The rule is part of the budget: choosing it
// after the first loss voids the promise.
//
// The advanced composition theorem has sum eps_i tanh(eps_i/2) where whitehouse has V/2. As a filter that is not proven: the proof stops a
// martingale at one line in the plane of V and of the drift, and needs the drift to be a function of V.
//
// Error    totals are exact decimals (exact/fixed_decimal.h): what is added is never rounded down and at most 2 10^-40 up, and is the same
//          decimal on every machine, so that totals can be derived again from the losses. Thresholds are rounded down. So a filter may
//          stop too early by that much (by whitehouse a relative 2^-52), never too late.
// Cost     ask or spend: 130 ns; rogers 260 ns, for a root and a logarithm (bench/composition_bench.cc). Making a Step: 6 microseconds.
// Checked  tests/currency/filter_test.cc: independent values of K, 10^7 steps against exact sums; tests/privacy/adversary_test.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tacet/base/decimal.h"
#include "tacet/base/enum_names.h"
#include "tacet/exact/fixed_decimal.h"
#include "tacet/privacy/currency.h"

namespace tacet::privacy {

/// One mechanism as filters and odometers see it. Make it once, spend it often.
class Step {
 public:
  /// Pure and approximate losses serve (epsilon, delta) filters and, if pure, zcdp (epsilon^2/2: Rogers 2.2.3; Laplace losses have a rho of
  /// their own); Gaussian losses serve zcdp and gdp.
  static Step of(const Loss& loss);
  /// What it adds to the sums of epsilon, epsilon^2, drift and delta; nothing where the loss has no epsilon.
  struct InEpsilon {
    exact::FixedDecimal epsilon, epsilon_squared, drift, delta;
  };
  std::optional<InEpsilon> in_epsilon() const;

 private:
  friend class Filter;
  bool has_epsilon_ = false, has_rho_ = false, has_mu_ = false;
  exact::FixedDecimal epsilon_, delta_, epsilon_squared_, drift_;  // drift: epsilon (e^epsilon - 1)/2
  exact::FixedDecimal rho_, mu_squared_;
};

/// What `loss` costs a budget kept in `currency`, in the form that adds up there: amount_in, and where that knows none, what a pure epsilon
/// implies in rho and in mu.
/// Theorem  epsilon-DP is epsilon^2/2-zCDP (Rogers 2.2.3; Bun & Steinke 2016, Proposition 1.4), and mu-GDP (privacy/pure_as_gdp.h).
/// Domain   for a pure loss in mu: epsilon at most 100.      Error  exact; mu rounded up as pure_as_gdp.h says; Unsupported without a theorem.
/// Cost     a microsecond; a pure loss in mu 0.1 ms.         Checked  tests/currency/filter_test.cc, tests/kernel/ledger_filter_test.cc.
Result<Amount> charge_in(Currency currency, const Loss& loss);
/// The step that costs that much.
Result<Step> step_in(Currency currency, const Loss& loss);

enum class Verdict : std::uint8_t { Go, Stop };
enum class FilterRule : std::uint8_t { Basic, Rogers, Whitehouse, Zcdp, Gdp };
constexpr auto names_of(FilterRule) {
  using enum FilterRule;
  return std::to_array<Named<FilterRule>>({{Basic, "basic"}, {Rogers, "rogers"}, {Whitehouse, "whitehouse"}, {Zcdp, "zcdp"}, {Gdp, "gdp"}});
}
/// The rule of a budget that names none: basic for epsilon and (epsilon, delta), zcdp for rho, gdp for mu.
FilterRule usual_rule(Currency currency);
/// The currency in which a rule counts; pure and approximate losses are counted alike.
Currency currency_of(FilterRule rule);

class Filter {
 public:
  /// By any rule that keeps promises in the budget's currency. rogers: 0 < delta < 1/e. whitehouse: `slack` of delta, above 0, pays for the
  /// square root, and the rest for the deltas of the steps; for other rules it is 0. A total of 0 lets nothing through.
  static Result<Filter> of(const Budget& budget, FilterRule rule, const Decimal& slack = {});
  static Result<Filter> basic(const Epsilon& epsilon, const Delta& delta) { return of(budget_of(epsilon, delta), FilterRule::Basic); }
  static Result<Filter> rogers(const Epsilon& epsilon, const Delta& delta) { return of(budget_of(epsilon, delta), FilterRule::Rogers); }
  static Result<Filter> whitehouse(const Epsilon& epsilon, const Delta& delta, const Delta& slack) {
    return of(budget_of(epsilon, delta), FilterRule::Whitehouse, slack.value());
  }
  static Filter zcdp(const Rho& rho) { return *of(budget_of(rho), FilterRule::Zcdp); }
  static Filter gdp(const Mu& mu) { return *of(budget_of(mu), FilterRule::Gdp); }

  /// Would `times` such steps fit? Changes nothing. Unsupported if the rule cannot count such a loss.
  Result<Verdict> ask(const Step& step, std::uint64_t times = 1) const;
  /// Go: the steps are counted, and may be run. Stop: nothing changed.
  Result<Verdict> spend(const Step& step, std::uint64_t times = 1);

  struct Totals {
    exact::FixedDecimal first;  // what is compared: epsilon, epsilon^2, rho or mu^2
    exact::FixedDecimal drift;  // rogers: the sum of epsilon (e^epsilon - 1)/2
    exact::FixedDecimal delta;
    friend bool operator==(const Totals&, const Totals&) = default;
  };
  const Totals& totals() const { return totals_; }
  /// The same budget and rule with these totals: what a ledger goes on from.
  Filter resumed(const Totals& totals) const;
  /// The filter that has counted the step whether it fits or not: for checks of what was let through before, and for messages.
  Result<Filter> forced(const Step& step, std::uint64_t times = 1) const;
  /// Do the totals keep the promise? Thresholds that are no decimals may be rounded otherwise by another machine's mathematical library: there
  /// a relative 2^-40 is forgiven.
  bool kept() const;

  FilterRule rule() const { return rule_; }
  /// What the totals so far amount to in the currency of the promise: sum eps_i, K, the left side of whitehouse, sum rho_i, or
  /// sqrt(sum mu_i^2); 0 before the first step. Rounded up; at most a relative 2^-50 and 10^-15 too large.
  double spent() const;
  /// The same for people and files, with the sum of the deltas (and mu as mu^2): exact, but for K and whitehouse, which are rounded up to
  /// 6 digits.
  Amount spent_amount() const;
  /// The budget less spent_amount(), and of delta what the steps may still have; nothing is below 0.
  Amount remaining() const;

 private:
  Filter(FilterRule rule, Decimal epsilon, Decimal delta, Decimal slack);
  Status countable(const Step& step, std::uint64_t times) const;
  Totals after(const Step& step, std::uint64_t times) const;
  bool fits(const Totals& totals) const;
  long double rogers_k(const Totals& totals) const;

  FilterRule rule_;
  Decimal budget_, delta_, slack_;  // as given, but mu^2 for mu
  exact::FixedDecimal limit_, delta_limit_;
  long double log_ = 0, x_ = 0;  // rogers: log(2/delta) and x; whitehouse: log(1/slack)
  Totals totals_;
};

}  // namespace tacet::privacy
