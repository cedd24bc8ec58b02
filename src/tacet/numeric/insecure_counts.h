// tacet/numeric/insecure_counts.h: binomial and multinomial counts for simulation.
//
//   InsecureStream stream(7, 0);
//   double heads = draw_binomial(stream, 1000, 0.3);
//   std::vector<double> tables(3 * 256);                 // 3 cells of 256 tables, cell by cell
//   draw_multinomials(stream, 1000, std::vector{0.5, 0.3, 0.2}, 256, tables);
//
// Theorem  Given the cells before it, a multinomial cell is binomial: its number of trials is the
//          people left, its success probability is its own probability divided by that of the
//          cells left.
//          A binomial count is drawn by sequential search if the mean is below 10, and otherwise
//          by rejection from a proposal (numeric/binomial_hat.h) that is accepted at once in all
//          but 1.5/(n p q) of the cases.
// Domain   0 <= n <= 2^50; multinomial probabilities are >= 0, at least one of them > 0, and add up
//          to 1. The caller checks this.
// Error    distributions are exact up to rounding: each probability to a relative 10^-7 (10^-10
//          for n below 10^9) and an absolute 2^-50. Counts are the same on every machine, with
//          AVX2, AVX-512 or neither.
// Cost     4.5 ns per count of a table, 15 ns if its mean is 5, 30 ns for a single binomial
//          (bench/simulation_bench.cc). A binomial does not allocate.
// Checked  tests/numeric/insecure_counts_test.cc: against the exact distribution, for both
//          methods, at their border, for n up to 10^12; a planted fault.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "tacet/numeric/insecure_stream.h"

namespace tacet::numeric {

inline constexpr double kMostDrawn = 0x1p50;

double draw_binomial(InsecureStream& stream, double n, double p);

/// `out` has probabilities.size() * tables counts: cell i of table t is out[i * tables + t].
void draw_multinomials(InsecureStream& stream, double n, std::span<const double> probabilities, std::size_t tables, std::span<double> out);

}  // namespace tacet::numeric
