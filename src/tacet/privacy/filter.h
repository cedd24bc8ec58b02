// tacet/privacy/filter.h: a budget that holds although each loss is chosen after the last result.
//
// A filter decides before each mechanism whether the budget still allows it. If it is obeyed, the
// promise of the budget holds, however losses were chosen and whenever the analyst stopped.
//   Filter filter = *Filter::of({Currency::PureDp, {Decimal(1), {}}}, FilterRule::Basic);
//   Step step = Step::of(PureLoss{*Decimal::parse("0.01")});
//   if (*filter.ask(step) == Verdict::Go) filter = *filter.forced(step);   // run the mechanism
//
//   rule        promise         goes on while                    sum delta_i <=   source
//   basic       epsilon, delta  sum eps_i <= epsilon             delta            Rogers 5.3.7
//   rogers      epsilon, delta  K of (5.12) <= epsilon           delta/2          Rogers 5.5.1
//   whitehouse  epsilon, delta  sqrt(2 log(1/slack) V) + V/2     delta - slack    [WRRW]
//                               <= epsilon, V = sum eps_i^2
//   zcdp        rho             sum rho_i <= rho                                  Rogers 5.7
//   gdp         mu              sum mu_i^2 <= mu^2                                [ST]
// [WRRW] Whitehouse, Ramdas, Rogers & Wu (2023), arXiv:2203.05481. [ST] Smith & Thakurta (2022),
// arXiv:2210.17520. whitehouse always beats rogers, and basic if there are many small losses. The
// rule is part of the budget: choosing it after the first loss voids the promise. A filter by the
// sum eps_i tanh(eps_i/2) of advanced composition is not proven (docs/explanation/filters.md).
// Error    totals are exact: integers in units of 10^-40. Steps are rounded up by at most 2 units,
//          equally on every machine, thresholds down. So a filter may stop too early by that much
//          (whitehouse: a relative 2^-52), never too late.
// Cost     ask or spend: 130 ns; rogers 260 ns; a Step: 6 us (bench/composition_bench.cc).
// Checked  tests/currency/filter_test.cc: independent values of K, 10^7 steps against exact sums;
//          tests/privacy/adversary_test.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <gmpxx.h>

#include "tacet/base/decimal.h"
#include "tacet/base/enum_names.h"
#include "tacet/privacy/currency.h"

namespace tacet::privacy {

/// The unit of totals: 10^kUnitLog10.
inline constexpr long kUnitLog10 = -40;

/// One mechanism, as filters and odometers count it, in units. Make it once, spend it often.
/// Pure and approximate losses serve (epsilon, delta) filters; pure ones zcdp too (epsilon^2/2:
/// Rogers 2.2.3; Laplace by rho). Gaussian losses serve zcdp and gdp. What it does not serve is
/// empty.
struct Step {
  static Step of(const Loss& loss);
  struct InEpsilon {
    mpz_class epsilon, epsilon_squared, drift, delta;  // drift: epsilon (e^epsilon - 1)/2
  };
  std::optional<InEpsilon> in_epsilon{};
  std::optional<mpz_class> rho{}, mu_squared{};
};

/// The cost of `loss` to a budget in `currency`, in the form that adds up there: amount_in, or
/// else what a pure epsilon implies in rho and mu.
/// Theorem  epsilon-DP is epsilon^2/2-zCDP (Rogers 2.2.3; Bun & Steinke 2016, Proposition 1.4) and
///          mu-GDP (privacy/noise_proofs.h).
/// Domain   a pure loss in mu: epsilon <= 100. Unsupported without a theorem.
/// Error    exact; mu rounded up (noise_proofs.h).     Cost  1 us; a pure loss in mu 0.1 ms.
/// Checked  tests/currency/filter_test.cc, tests/kernel/ledger_filter_test.cc.
Result<Amount> charge_in(Currency currency, const Loss& loss);
/// The step with that cost.
Result<Step> step_in(Currency currency, const Loss& loss);

enum class Verdict : std::uint8_t { Go, Stop };
enum class FilterRule : std::uint8_t { Basic, Rogers, Whitehouse, Zcdp, Gdp };
constexpr auto names_of(FilterRule) {
  using enum FilterRule;
  return std::to_array<Named<FilterRule>>({{Basic, "basic"}, {Rogers, "rogers"}, {Whitehouse, "whitehouse"}, {Zcdp, "zcdp"}, {Gdp, "gdp"}});
}
/// The default rule of a budget: basic for epsilon and (epsilon, delta), zcdp for rho, gdp for mu.
FilterRule usual_rule(Currency currency);

class Filter {
 public:
  /// The rule must keep promises in the currency of the budget. rogers: 0 < delta < 1/e.
  /// whitehouse: `slack` > 0 of delta pays for the square root, the rest for deltas of steps. A
  /// total of 0 admits nothing.
  static Result<Filter> of(const Budget& budget, FilterRule rule, const Decimal& slack = {});

  /// Would `times` such steps fit? Changes nothing. Unsupported if the rule cannot count the loss.
  Result<Verdict> ask(const Step& step, std::uint64_t times = 1) const;

  /// In units.
  struct Totals {
    mpz_class first;  // compared: epsilon, epsilon^2, rho or mu^2
    mpz_class drift;  // rogers: the sum of epsilon (e^epsilon - 1)/2
    mpz_class delta;
    friend bool operator==(const Totals&, const Totals&) = default;
  };
  const Totals& totals() const { return totals_; }
  /// The same budget and rule with these totals.
  Filter resumed(const Totals& totals) const;
  /// The filter after the step, whether it fits or not: to check past charges, and for messages.
  Result<Filter> forced(const Step& step, std::uint64_t times = 1) const;
  /// Do the totals keep the promise? Thresholds of rogers and whitehouse may differ between
  /// mathematical libraries; a relative 2^-40 is tolerated.
  bool kept() const;

  FilterRule rule() const { return rule_; }
  /// The totals in the currency of the promise: sum eps_i, K, the left side of whitehouse, sum
  /// rho_i, or sqrt(sum mu_i^2); 0 at first. Rounded up, by at most a relative 2^-50 and 10^-15.
  double spent() const;
  /// What they may be at most, with the delta that steps may use; mu^2 for mu.
  Amount limit() const;

 private:
  Filter(FilterRule rule, Decimal total, const Decimal& delta, const Decimal& slack);
  Status countable(const Step& step, std::uint64_t times) const;
  Totals after(const Step& step, std::uint64_t times) const;
  bool fits(const Totals& totals) const;
  long double rogers_k(const Totals& totals) const;

  FilterRule rule_;
  Decimal budget_;                 // as given, but mu^2 for mu
  mpz_class limit_, delta_limit_;  // in units
  long double log_ = 0, x_ = 0;    // rogers: log(2/delta) and x; whitehouse: log(1/slack)
  Totals totals_;
};

}  // namespace tacet::privacy
