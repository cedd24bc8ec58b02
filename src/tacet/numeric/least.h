// tacet/numeric/least.h: the least value of a function of one variable.
//
//   const auto square = [](double x) { return (x - 2) * (x - 2); };
//   Least near = least_between(square, 0, 10);        // one valley: at 2, value 0
//   Least far = least_over(square, -1e3, 1e3, 64);    // looks at 65 points first
//   double root = root_of([](double x) { return x - 3; }, 0, 10);   // of an increasing function
//
// Method   Golden sections (Kiefer 1953) until the bracket is 2^-27 of its width; halving.
// Domain   low < high; infinite values are allowed where the least value is not.
// Error    of the value: second order, a relative 10^-14 for smooth functions. The root is the
//          upper end of the last bracket: the function is not below 0 there.
// Cost     40 evaluations; least_over: cells + 41.
// Checked  tests/numeric/least_test.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <numbers>

namespace tacet::numeric {

struct Least {
  double at, value;
};

template <class Function>
Least least_between(Function function, double low, double high) {
  constexpr double kPart = std::numbers::phi - 1;
  double left = high - kPart * (high - low);
  double right = low + kPart * (high - low);
  double at_left = function(left);
  double at_right = function(right);
  for (int i = 0; i < 38; ++i) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kPart * (high - low);
      at_left = function(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kPart * (high - low);
      at_right = function(right);
    }
  }
  return at_left < at_right ? Least{left, at_left} : Least{right, at_right};
}

template <class Function>
Least least_over(Function function, double low, double high, int cells) {
  Least best{low, std::numeric_limits<double>::infinity()};
  const double step = (high - low) / cells;
  for (int i = 0; i <= cells; ++i) {
    const double at = low + i * step;
    const double value = function(at);
    if (value < best.value) best = {at, value};
  }
  const Least found = least_between(function, std::max(low, best.at - step), std::min(high, best.at + step));
  return found.value < best.value ? found : best;
}

template <class Function>
double root_of(Function function, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (function(middle) < 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace tacet::numeric
