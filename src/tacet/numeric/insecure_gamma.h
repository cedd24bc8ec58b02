// tacet/numeric/insecure_gamma.h: gamma variables and sums of Laplace variables, for simulation.
//
//   InsecureStream stream(7, 0);
//   std::vector<double> values(256);
//   fill_gamma(stream, 1000, values);                   // sums of 1000 exponentials with mean 1
//   fill_laplace_sums(stream, 1000, values);            // sums of 1000 with density exp(-|x|)/2
//   double x = draw_chi_square(stream, 12.5);           // with 12.5 degrees of freedom
//
// Source   Marsaglia & Tsang (2000): with d = shape - 1/3, x normal and y = (1 + x/(3 sqrt
//          d))^3 - 1, the value d (1 + y) is accepted with probability exp(x^2/2 + d
//          (log(1 + y) - y)).
// Theorem  A Laplace variable is sqrt(2E) N with E exponential and N normal. So a sum of n of them
//          is sqrt(2G) N with G gamma of shape n, at the cost of one draw.
// Domain   1 <= shape <= 2^50; 1 <= degrees <= 2^50. The caller checks this.
// Error    exact up to rounding: log(1 + y) - y is summed as a series if y is small, so that
//          nothing cancels for large shapes.
// Cost     about 30 ns per value. No allocation.
// Checked  tests/numeric/insecure_gamma_test.cc: against the distributions for shapes 1 to 10^12;
//          a wrong shape is caught.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tacet/numeric/insecure_stream.h"

namespace tacet::numeric {

void fill_gamma(InsecureStream& stream, double shape, std::span<double> values);
void fill_laplace_sums(InsecureStream& stream, double terms, std::span<double> values);
/// A chi-square variable. Below 16 degrees of freedom it is a sum of that many squares, rounded
/// down.
double draw_chi_square(InsecureStream& stream, double degrees);

}  // namespace tacet::numeric
