// tacet/planning/people_needed.h: the least number of people at which a power that grows with them reaches what is wanted.
//
//   double n = *people_needed(0.8, alpha, most, [&](double people) { return power_with(people); });
//
// Theorem  bisection over whole numbers, after doubling.      Domain  alpha < wanted < 1; answers to `most`, beyond: Unsupported.
// Error    the least whole number at which the computed power reaches the wanted one, where it grows with n.
// Cost     at most 80 powers.                                 Checked  tests/planning/people_needed_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "tacet/base/result.h"

namespace tacet::planning {

inline constexpr double kMostPeople = 1e12;

Result<double> people_needed(double wanted, double alpha, double most, const std::function<Result<double>(double people)>& power);

}  // namespace tacet::planning
