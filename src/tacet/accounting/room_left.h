// tacet/accounting/room_left.h: what still fits into a budget, for planning.
//
//   Filter filter = *basic_filter(*Epsilon::parse("1"), *Delta::parse("0"));
//   Loss loss = pure_loss(*Epsilon::parse("0.25"));
//   *times_left(filter, Step::of(loss));     // 4: this many more such steps fit
//   largest_like(filter, loss);              // the largest loss of that kind that fits now
//
// No release rests on it: filters decide (privacy/filter.h).
// Checked  tests/accounting/room_left_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::accounting {

inline constexpr std::uint64_t kMostTimes = 1'000'000'000'000'000;

/// The currency in which a rule counts; pure and approximate losses count alike.
privacy::Currency currency_of(privacy::FilterRule rule);

/// How many more such steps fit, one after the other, up to kMostTimes. Unsupported if the rule
/// cannot count such a loss.
/// Theorem  none: it calls Filter::ask.
/// Domain   every filter and step.     Error  none: the result fits, and one more does not.
/// Cost     two calls per binary digit of the result.
Result<std::uint64_t> times_left(const privacy::Filter& filter, const privacy::Step& step);

/// The largest loss of the kind of `loss` that fits now, with all of the remaining delta if `loss`
/// has one. Empty if no such loss fits. For Laplace noise: a pure loss, or the remaining rho or mu
/// as a Gaussian loss.
/// Theorem  none: it calls Filter::ask unless losses add up in their own currency.
/// Domain   every filter and loss.
/// Error    exact if losses add up in their own currency, otherwise rounded down to 4 digits.
/// Cost     at most 61 calls, each with a new step.
std::optional<privacy::Loss> largest_like(const privacy::Filter& filter, const privacy::Loss& loss);

}  // namespace tacet::accounting
