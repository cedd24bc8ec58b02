// tacet/numeric/insecure_counts.h: binomial and multinomial counts for simulation, many tables at a time.
//
//   InsecureStream stream(7, 0);
//   double heads = draw_binomial(stream, 1000, 0.3);
//   std::vector<double> tables(3 * 256);                                 // 3 cells of 256 tables, the tables of a cell side by side
//   draw_multinomials(stream, 1000, std::vector{0.5, 0.3, 0.2}, 256, tables);
//
// Theorem  Multinomial cells are conditional binomials: given the cells before it, a cell is binomial of the people left, with its probability
//          over that of the cells left. Binomial: inversion by sequential search where the mean is below 10, otherwise rejection from a
//          bent and rounded normal variable (numeric/binomial_hat.h), which stands at once but for one in n p q/1.5 cases.
// Domain   0 <= n <= 2^50; probabilities of a multinomial greater than 0, with sum 1. The caller has checked them.
// Error    the law of each count is exact but for rounding: each probability to a relative 10^-7 (10^-10 for n below 10^9), and 2^-50 absolute.
//          Counts are the same on every machine, with AVX2, AVX-512 or neither.
// Cost     4.5 ns for each count of a table, 15 where it is expected to be 5, 30 ns for a single binomial (bench/simulation_bench.cc). No allocation in a binomial.
// Checked  tests/numeric/insecure_counts_test.cc: against the exact law, over both methods, their border and n to 10^12; a planted fault.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "tacet/numeric/insecure_stream.h"

namespace tacet::numeric {

inline constexpr double kMostDrawn = 0x1p50;

double draw_binomial(InsecureStream& stream, double n, double p);

/// `out` holds probabilities.size() times `tables` counts: cell i of table t is out[i * tables + t].
void draw_multinomials(InsecureStream& stream, double n, std::span<const double> probabilities, std::size_t tables, std::span<double> out);

}  // namespace tacet::numeric
