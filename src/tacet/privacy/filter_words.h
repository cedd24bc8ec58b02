// tacet/privacy/filter_words.h: what a filter has counted, and why there is none, for people.
//
//   Filter filter = *Filter::of({Currency::PureDp, {Decimal(1), {}}}, FilterRule::Basic);
//   spent_amount(filter).first;                                   // 0
//   remaining(filter).first;                                      // 1
//   check_filter({Currency::Zcdp, {Decimal(1), {}}}, FilterRule::Gdp, {}).error();   // of rule
//
// No decision rests on them: the filter itself compares its totals, and checks its domain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::privacy {

/// filter.spent() with the sum of the deltas (and mu^2 for mu): exact, except for K and whitehouse,
/// which are rounded up to 6 digits.
Amount spent_amount(const Filter& filter);
/// The budget minus spent_amount(), with the delta that steps may still use; never below 0.
Amount remaining(const Filter& filter);
/// Filter::of in words: which part of the budget does not go with which.
Status check_filter(const Budget& budget, FilterRule rule, const Decimal& slack);

}  // namespace tacet::privacy
