// tacet/accounting/few_responses.h: randomised responses with few outcomes, summed one by one.
//
//   FewResponses responses({{.epsilon = 0.1L, .times = 30}, {.epsilon = 0.5L, .times = 2}});
//   LongBounds delta = responses.delta(1);            // of the composition at epsilon 1
//
// Groups of n_1, n_2, ... responses with parameters e_1, e_2, ... have (n_1 + 1)(n_2 + 1)...
// different privacy losses. Each is kept with its probability, and
//
//   delta(e) = sum of P[loss] (1 - exp(e - loss))_+
//
// is summed from the largest loss down, without subtraction.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacet/accounting/equal_responses.h"
#include "tacet/accounting/mixed_responses.h"

namespace tacet::accounting {

/// Theorem  Murtagh & Vadhan (2016), Theorem 1.5.
/// Domain   as EqualResponses for each, and outcomes() at most a few million.
/// Error    bounds enclose the exact value; relative width of delta about (sum of n_i e_i + n_i)
///          1e-18, absolute floor 1e-340.
/// Cost     outcomes log(outcomes): 0.2 s for a million.
/// Checked  tests/accounting/composition_optimal_test.cc: sums over all subsets; equal epsilons
///          against EqualResponses.
class FewResponses {
 public:
  explicit FewResponses(const std::vector<Responses>& responses);
  /// The number of outcomes, or `most` + 1 if there are more than `most`.
  static std::uint64_t outcomes(const std::vector<Responses>& responses, std::uint64_t most);
  LongBounds delta(long double epsilon_g) const;
  LongBounds epsilon(long double delta) const;

 private:
  struct Outcome {
    long double loss, probability;
  };
  /// delta is `gain` at outcomes_[at].loss, and gain - expm1(t) fall at a distance t above it, up
  /// to the next loss.
  struct Line {
    std::size_t at = 0;
    long double gain = 0, fall = 0;
  };
  long double value(const Line& line, long double epsilon_g) const;
  long double error_of(const Line& line, long double epsilon_g) const;
  std::vector<Outcome> outcomes_;  // the largest loss first
  std::vector<Line> lines_;        // one for each outcome
  long double relative_ = 0, reach_ = 0;
};

}  // namespace tacet::accounting
