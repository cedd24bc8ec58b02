// tacet/numeric/insecure_gamma.h: gamma variables for simulation, and with them sums of many Laplace variables at the price of one.
//
//   InsecureStream stream(7, 0);
//   fill_gamma(stream, 1000, values);                   // sums of 1000 exponential variables with mean 1
//   fill_laplace_sums(stream, 1000, values);            // sums of 1000 variables with density exp(-|x|)/2
//
// Theorem  Marsaglia & Tsang (2000): with d = shape - 1/3, y = (1 + x/(3 sqrt d))^3 - 1 for a normal x, d (1 + y) is accepted with probability
//          exp(x^2/2 + d (log(1 + y) - y)). A Laplace variable is sqrt(2E) N with E exponential and N normal, so that a sum of n of them is
//          sqrt(2G) N with G gamma of shape n.
// Domain   1 <= shape <= 2^50. The caller has checked it.
// Error    exact but for rounding: log(1 + y) - y is summed as a series where y is small, so that nothing cancels for large shapes.
// Cost     about 30 ns for each value. No allocation.
// Checked  tests/numeric/insecure_gamma_test.cc: against the laws over shapes 1 to 10^12; a wrong shape is caught.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tacet/numeric/insecure_stream.h"

namespace tacet::numeric {

void fill_gamma(InsecureStream& stream, double shape, std::span<double> values);
void fill_laplace_sums(InsecureStream& stream, double terms, std::span<double> values);

}  // namespace tacet::numeric
