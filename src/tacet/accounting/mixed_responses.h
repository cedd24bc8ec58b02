// tacet/accounting/mixed_responses.h: randomised responses with different epsilons, the worst case of different pure mechanisms.
//
// The exact answer is a sum over all subsets (and #P-hard: Murtagh & Vadhan 2016), so the privacy loss is kept in cells of width h and two
// answers are computed that enclose it:
//
//   upper   losses sit on a grid; a step moves each by +-epsilon_i and shares it between the two nearest points so that the probabilities
//           under both neighbours stay what they were. Sharing out can be undone: what is computed can only be less private.
//   lower   a cell holds one loss, the average of what fell into it less h^2/8. That is at most what remains when the outcomes of a cell
//           are no longer told apart (Hoeffding's lemma): what is computed can only be more private.
//
// Both err by O(h^2) per step, and neither subtracts, so that small deltas keep their relative accuracy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacet/accounting/equal_responses.h"

namespace tacet::accounting {

/// `times` responses with parameter epsilon.
struct Responses {
  long double epsilon;
  std::uint64_t times;
};

/// The logarithm of E[exp(t L)] for the loss L of all responses together, and its derivative in t.
struct Cumulant {
  long double value, derivative;
};
Cumulant cumulant(const std::vector<Responses>& responses, long double t);

/// Theorem  Murtagh & Vadhan (2016), Theorem 1.5; the upper answer: Doroshenko, Ghazi, Kamath, Kumar & Manurangsi (2022),
///          arXiv:2207.04380, "connect the dots".
/// Domain   that of EqualResponses for each; at most 10^5 responses altogether; 1e-300 <= tail < 1, the smallest delta of interest.
/// Error    bounds enclose the exact value. Their distance in epsilon is about (1 + z) k h^2, h = 24 standard deviations / cells.
/// Cost     O(responses cells): about 10 ns per response and cell.
/// Checked  tests/accounting/composition_optimal_test.cc: sums over all subsets, equal epsilons against EqualResponses, random lists.
class MixedResponses {
 public:
  MixedResponses(const std::vector<Responses>& responses, std::size_t cells, long double tail);
  LongBounds delta(long double epsilon_g) const;
  LongBounds epsilon(long double delta) const;

 private:
  void step_upper(double epsilon);
  void step_lower(double epsilon);
  long double upper_delta(long double epsilon_g) const;
  long double lower_delta(long double epsilon_g) const;

  double h_ = 0, lowest_ = 0, shift_ = 0;  // shift_: how far rounding may have moved a loss
  long double relative_ = 0;               // relative error of a probability
  long double most_ = 0;                   // the largest possible loss
  std::vector<double> upper_;              // probability at lowest_ + i h
  double never_ = 0;                       // probability above the grid, counted as certain loss
  std::vector<double> mass_, place_;       // probability and loss of each cell
  std::vector<double> next_mass_, next_place_;
  std::size_t first_ = 0, last_ = 0;  // the cells in use
};

}  // namespace tacet::accounting
