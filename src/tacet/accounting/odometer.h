// tacet/accounting/odometer.h: the privacy loss so far, if each loss is chosen after the last
// result.
//
// There is no fixed budget. After each step the odometer gives a bound on the absolute privacy
// loss. With probability at least 1 - delta_g all its bounds hold, at all times at once. Advanced
// composition of the losses so far does not have that property: an analyst who stops at the worst
// moment breaks it (tests/privacy/adversary_test.cc).
//
//   Odometer odometer = *Odometer::of(*Delta::parse("1e-6"), 10000);   // delta_g; n people
//   odometer.spend(Step::of(pure_loss(*Epsilon::parse("0.01"))));
//   odometer.bound();                     // 0.01: after one step the sum is the better bound
//
// Theorem  Rogers, Theorem 5.6.5, with D = sum eps_i (e^eps_i - 1)/2 and V = sum eps_i^2:
//            (5.17)  if 1/n^2 <= V <= 1:  D + sqrt(2 V (log(48 e) + 2 log(log(n)/delta_g)))
//            (5.18)  otherwise:
//                    D + sqrt(2 (1/n^2 + V) (1 + log(1 + n^2 V)/2) log(4 log2(n)/delta_g))
//          Lemma 5.6.4, for an x > 0 that was chosen before the first step (about the V that is
//          expected; a later choice voids it):
//                    D + sqrt(2 (V + x) (1 + log(1 + V/x)/2) log(2/delta_g))
//          and Theorem 5.3.7: the sum of the epsilons always holds.
// Change   The paper allows sum delta_i <= delta_g/2, but its two branches may fail with
//          probability delta_g/2 and delta_g/(4 log2(n)), together more than delta_g. Here sum
//          delta_i is at most delta_g less the exact failure probabilities of both branches (and
//          at most delta_g/2). Nothing changes for pure losses.
// Domain   0 < delta_g < 1/e; 2 <= n <= 10^18. n is public and need not be exact: it only sets
//          where the bound is sharpest.
// Error    one-sided: never below the formula, at most a relative 2^-50 and an absolute 10^-15
//          above it; totals are exact (exact/fixed_decimal.h).
// Cost     spend: 180 ns; a bound: 90 ns (bench/composition_bench.cc).
// Checked  tests/accounting/odometer_test.cc: independent values to 1e-9, both branches;
//          tests/privacy/adversary_test.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/exact/fixed_decimal.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {

class Odometer {
 public:
  static Result<Odometer> of(const privacy::Delta& delta_g, std::uint64_t n);
  static Result<Odometer> parse(std::string_view state);

  /// Counts `times` steps. Unsupported for a loss without an epsilon: Gaussian losses have
  /// accounting/zcdp_odometer.h.
  Status spend(const privacy::Step& step, std::uint64_t times = 1);

  /// The bound of Theorem 5.6.5; infinity if the deltas of the steps exceed its limit.
  double advanced() const;
  /// The bound of Lemma 5.6.4 for an x; infinity if the deltas of the steps exceed delta_g/2.
  /// InvalidArgument unless 10^-300 <= x <= 10^300. It fails with probability delta_g by itself:
  /// decide beforehand to read this one or advanced().
  Result<double> advanced_at(double x) const;
  /// The sum of the epsilons; infinity if the sum of the deltas exceeds delta_g.
  double basic() const;
  /// The smaller of the two. Together they fail with probability at most delta_g, because the sum
  /// of the epsilons fails only if a delta event occurs.
  double bound() const;

  std::uint64_t steps() const { return steps_; }
  /// One line of exact decimals; parse() reads it back.
  std::string state() const;

 private:
  Odometer(Decimal delta_g, std::uint64_t n);
  Decimal delta_g_;
  std::uint64_t n_;
  long double log_narrow_ = 0, log_wide_ = 0;  // logarithms that depend on delta_g and n only
  exact::FixedDecimal delta_limit_, delta_limit_advanced_;
  exact::FixedDecimal epsilon_, epsilon_squared_, drift_, delta_;
  std::uint64_t steps_ = 0;
};

}  // namespace tacet::accounting
