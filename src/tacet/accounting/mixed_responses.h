// tacet/accounting/mixed_responses.h: randomised responses with different epsilons, enclosed.
//
//   const std::vector<Responses> lists = {{.epsilon = 0.1L, .times = 30},
//                                         {.epsilon = 0.02L, .times = 99}};
//   MixedResponses responses(lists, /*cells=*/100'000, /*tail=*/1e-9L);
//   LongBounds epsilon = responses.epsilon(1e-6L);    // encloses the exact value at delta 10^-6
//
// They are the worst case of different pure mechanisms. The exact value is a sum over all subsets,
// which is #P-hard (Murtagh & Vadhan 2016). So the privacy loss is kept in cells of width h, and
// two computations enclose the exact value:
//
//   upper   Losses lie on a grid. A step moves each by +-epsilon_i and splits it between the two
//           nearest points, so that the probabilities under both neighbours are kept. A split can
//           be undone, so the result is at most as private as the truth.
//   lower   A cell holds one loss: the average of the losses in it, less h^2/8. Merging the
//           outcomes of a cell leaves at least this loss (Hoeffding's lemma), so the result is at
//           least as private as the truth.
//
// Both err by O(h^2) per step. Neither subtracts, so small deltas keep their relative accuracy.
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

/// Theorem  Murtagh & Vadhan (2016), Theorem 1.5. Upper: "connect the dots", Doroshenko, Ghazi,
///          Kamath, Kumar & Manurangsi (2022), arXiv:2207.04380.
/// Domain   that of EqualResponses for each; at most 10^5 responses altogether;
///          1e-300 <= tail < 1, where tail is the smallest delta of interest.
/// Error    bounds enclose the exact value. Their distance in epsilon is about (1 + z) k h^2,
///          where h = 24 standard deviations / cells.
/// Cost     O(responses cells): about 10 ns per response and cell.
/// Checked  tests/accounting/composition_optimal_test.cc: sums over all subsets, equal epsilons
///          against EqualResponses, random lists.
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

  double h_ = 0, lowest_ = 0, shift_ = 0;  // shift_: the most that rounding can move a loss
  long double relative_ = 0;               // relative error of a probability
  long double most_ = 0;                   // the largest possible loss
  std::vector<double> upper_;              // probability at lowest_ + i h
  double never_ = 0;                       // probability above the grid, counted as certain loss
  std::vector<double> mass_, place_;       // probability and loss of each cell
  std::vector<double> next_mass_, next_place_;
  std::size_t first_ = 0, last_ = 0;  // the cells in use
};

}  // namespace tacet::accounting
