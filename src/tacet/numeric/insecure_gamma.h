// tacet/numeric/insecure_gamma.h: gamma variables for simulation; twice one of shape df/2 is chi-square.
//
//   InsecureStream stream(7, 0);
//   double chi2 = 2 * draw_gamma(stream, df / 2);
//
// Theorem  Marsaglia & Tsang (2000): d v with v = (1 + x/sqrt(9 d))^3, d = shape - 1/3, x normal, kept with probability exp(x^2/2 + d - d v + d log v).
// Domain   1 <= shape <= 10^15. The caller has checked it.
// Error    the law is exact but for rounding.
// Cost     about one normal, one uniform and two logarithms, for each value. No allocation.
// Checked  tests/numeric/insecure_gamma_test.cc: against the exact law, by the inequality of Dvoretzky, Kiefer & Wolfowitz; a planted fault.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/numeric/insecure_stream.h"

namespace tacet::numeric {

double draw_gamma(InsecureStream& stream, double shape);

}  // namespace tacet::numeric
