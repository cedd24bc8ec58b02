// tacet/accounting/room_left.h: what still fits into a budget, for people who plan. No release rests on it: filters decide (privacy/filter.h).
//
//   *times_left(filter, step);             // 12: so many more such steps fit
//   largest_like(filter, loss);            // the largest loss of that kind that fits now
//
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

/// How many more such steps fit, one after the other; kMostTimes if as many or more do. Unsupported if the rule cannot count such a loss.
/// Theorem  none: Filter::ask is asked.
/// Domain   every filter and step.     Error  none: what is returned fits, and one more does not.
/// Cost     two questions for a binary digit of the result.
Result<std::uint64_t> times_left(const privacy::Filter& filter, const privacy::Step& step);

/// The largest loss of the kind of `loss` that fits now, with all of the delta that remains if `loss` has one. Nothing if no such loss fits. For
/// Laplace noise: a pure loss, or the rho or mu that remains as a Gaussian loss.
/// Theorem  none: Filter::ask is asked, where losses do not add up in their own currency.
/// Domain   every filter and loss.     Error  exact where losses add up in their own currency, otherwise rounded down to 4 digits.
/// Cost     60 questions at most, and as many steps to make.
std::optional<privacy::Loss> largest_like(const privacy::Filter& filter, const privacy::Loss& loss);

}  // namespace tacet::accounting
