// tacet/accounting/equal_responses.h: k randomised responses with one epsilon.
//
//   EqualResponses responses(/*epsilon=*/0.01L, /*k=*/1000);
//   LongBounds delta = responses.delta(1);            // of the composition at epsilon 1
//   LongBounds epsilon = responses.epsilon(1e-6L);    // at delta 10^-6
//
// They are the worst case of k pure epsilon-DP mechanisms. The privacy loss is (2 l - k) epsilon
// with l binomial(k, e^epsilon / (1 + e^epsilon)), so
//
//   delta(e) = sum over l of P[l] (1 - exp(e - (2 l - k) epsilon))_+ .
//
// The binomial weights are computed by ratios from the largest one, not from factorials. All terms
// are >= 0, so nothing cancels and small deltas are as accurate as large ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tacet::accounting {

/// The exact value lies between these.
struct LongBounds {
  long double lower, upper;
};

/// Theorem  Kairouz, Oh & Viswanath (2015), Theorem 3.3; Murtagh & Vadhan (2016), Theorem 1.5.
/// Domain   1e-300 <= epsilon <= 1e6, known to a relative 2^-63; 1 <= k <= 1e9; epsilon_g >= 0;
///          1e-310 <= delta < 1.
/// Error    bounds enclose the exact value; relative width of delta about (k epsilon + sqrt(k))
///          1e-17, absolute floor 1e-340.
/// Cost     O(min(k, 100 sqrt(k))) steps of a few nanoseconds, and as many long doubles.
/// Checked  tests/accounting/composition_optimal_test.cc: independent values, exact sums in MPFR,
///          k = 1 and 10^6.
class EqualResponses {
 public:
  EqualResponses(long double epsilon, std::uint64_t k);
  LongBounds delta(long double epsilon_g) const;
  /// The least epsilon_g >= 0 whose delta is at most `delta`.
  LongBounds epsilon(long double delta) const;

 private:
  // An interval between two values of the loss, where delta = a - e^{epsilon_g} b.
  struct Line;
  Line line_at(long double epsilon_g) const;
  Line line_of(long double delta) const;
  long double position(std::uint64_t successes) const;
  long double error_of(const Line& line, long double epsilon_g) const;

  long double epsilon_;
  std::uint64_t k_;
  std::uint64_t lowest_ = 0;          // the number of successes of weights_[0]
  std::vector<long double> weights_;  // relative to the largest, which is 1
  long double total_ = 0;             // of all weights
  long double beyond_ = 0;            // at most this is missing above weights_.back()
  long double relative_ = 0;          // relative error of every weight
};

}  // namespace tacet::accounting
