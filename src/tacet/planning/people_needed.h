// tacet/planning/people_needed.h: the least number of people at which a power that grows with them reaches what is wanted.
//
//   double n = *people_needed(0.8, alpha, most, [&](double people) { return power_with(people); });
//   double m = *people_needed_near(n, 0.8, most, [&](double people) { return simulated_power_with(people); });
//
// Theorem  bisection over whole numbers, after doubling.      Domain  alpha < wanted < 1; answers to `most`, beyond: Unsupported.
// Error    the least whole number at which the computed power reaches the wanted one, where it grows with n; `near` a start, for powers that
//          cost much: to one part in 500.
// Cost     at most 80 powers; near a start within a factor 4 of the answer, 15.       Checked  tests/planning/people_needed_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "tacet/base/result.h"

namespace tacet::planning {

inline constexpr double kMostPeople = 1e12;

using PowerWith = std::function<Result<double>(double people)>;

Result<double> people_needed(double wanted, double alpha, double most, const PowerWith& power);
Result<double> people_needed_near(double start, double wanted, double most, const PowerWith& power);

/// Where a curve of power is drawn: 41 sizes at most, whole and evenly on a logarithmic scale, from a twentieth of `middle` to twenty times as many,
/// none below `least` or above `most`.
std::vector<double> curve_sizes(double middle, double least, double most);

}  // namespace tacet::planning
