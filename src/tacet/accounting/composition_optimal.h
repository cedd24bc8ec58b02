// tacet/accounting/composition_optimal.h: the optimal composition of (epsilon_i, delta_i)
// mechanisms.
//
//   LossList losses = *LossList::of({*LossTerm::of(0.01, 0, 1000)});
//   optimal_delta(losses, *Epsilon::parse("1"));             // both bounds 0.000108311705...
//   optimal_epsilon(losses, *Delta::parse("1e-6"));          // both bounds 1.36544671...
//
// The bounds hold for all mechanisms with given (epsilon_i, delta_i), fixed in advance. Equal
// epsilons, and different ones with at most half a million outcomes, are exact up to rounding
// (equal_responses.h, few_responses.h). All others are enclosed (mixed_responses.h,
// privacy_loss.h). Report `upper`; `lower` shows how much a better computation could save.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/accounting/losses.h"
#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {

/// The exact value lies between these.
struct Bounds {
  double lower, upper;
};

/// The least delta such that all mechanisms together are (epsilon_g, delta)-DP, whichever they
/// are.
/// Theorem  Kairouz, Oh & Viswanath (2015), Theorem 3.3; Murtagh & Vadhan (2016), Theorem 1.5. The
///          event of delta_i has probability delta_i.
/// Domain   every LossList.
/// Error    lower <= exact <= upper. Equal epsilons: relative distance about (k epsilon + sqrt(k))
///          1e-17; few outcomes: few_responses.h. Otherwise usually below 1e-2, as the result
///          shows; a delta below 1e-300 is only known to be below that.
/// Cost     equal: 100 sqrt(k) steps; different: below a second (bench/composition_bench.cc).
/// Checked  tests/accounting/composition_optimal_test.cc: independent values to 1e-9, sums in MPFR
///          and over all subsets, other rules.
Result<Bounds> optimal_delta(const LossList& losses, const privacy::Epsilon& epsilon_g);

/// The least epsilon_g such that all mechanisms together are (epsilon_g, delta_g)-DP. It is never
/// above the sum of the epsilons.
/// Theorem  as optimal_delta.
/// Domain   delta_g > 0 and at least 1e-300 above 1 - prod (1 - delta_i). Outside:
///          InvalidArgument.
/// Error    lower <= exact <= upper. Equal epsilons or few outcomes: relative distance below 1e-11
///          for k <= 10^6. Otherwise as the result shows, usually below 1e-3 standard deviations
///          of the loss.
/// Cost     as optimal_delta.
/// Checked  tests/accounting/composition_optimal_test.cc.
Result<Bounds> optimal_epsilon(const LossList& losses, const privacy::Delta& delta_g);

}  // namespace tacet::accounting
