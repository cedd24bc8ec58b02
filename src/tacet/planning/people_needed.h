// tacet/planning/people_needed.h: the least number of people that gives a wanted power.
//
//   const PowerWith power = [](double n) { return numeric::normal_upper(2 - std::sqrt(n) / 9); };
//   double n = *people_needed(/*wanted=*/0.8, /*alpha=*/0.05, kMostPeople, power);
//   double m = *people_needed_near(n, 0.8, kMostPeople, power);       // a simulated power, say
//
// Theorem  bisection over whole numbers, after doubling.
// Domain   alpha < wanted < 1; results up to `most`, beyond: Unsupported. The power must grow with
//          n.
// Error    the least whole number whose computed power is the wanted one. people_needed_near is
//          for powers that are slow to compute: to one part in 500.
// Cost     at most 80 powers; near a start within a factor 4 of the result, 15.
// Checked  tests/planning/people_needed_test.cc
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

/// The numbers of people of a power curve: at most 41 whole numbers, evenly on a logarithmic
/// scale, from a twentieth of `middle` to twenty times as many, within [least, most].
std::vector<double> curve_sizes(double middle, double least, double most);

}  // namespace tacet::planning
