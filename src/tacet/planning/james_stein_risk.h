// tacet/planning/james_stein_risk.h: what James-Stein shrinkage costs, exactly.
//
// X is normal in k dimensions with mean m and covariance I, and |m|^2 = noncentrality. Then |X|^2 is noncentral chi-square, and
//
//   inverse_chi2_mean(k, |m|^2)    E[1/|X|^2]
//   james_stein_risk(k, |m|^2)     E|(1 - (k-2)/|X|^2) X - m|^2, below k for every m
//   positive_part_risk(k, |m|^2)   the same with the factor cut off at 0, below that for every m
//
//   double cost = sigma * sigma * james_stein_risk(p, squared_length / (sigma * sigma));       // js0 of a table of p cells
//
// With a = k/2 - 1 and x = noncentrality/2, E[1/|X|^2] = M(a, x)/2 with M(a, x) = integral over 0 < y < 1 of (1-y)^(a-1) e^(-xy) (Lee,
// (21)). The series in Lee's Lemma B.1 overflows for large x and cancels in the risk. Instead:
//
//   * N_j, the same integral with a factor y^j, satisfies j N_(j-1) - (a+j+x) N_j + x N_(j+1) = 0 and (a+x) N_0 - x N_1 = 1, and is the
//     minimal solution, so that by Pincherle's theorem M = 1/(a+x - x/(a+1+x - 2x/(a+2+x - ...))). Each denominator stays above half of
//     a+j+x (seen, not proven), so nothing cancels; cut off anywhere it is a lower bound, which rises to M.
//   * By parts a M(a, x) + x M(a+1, x) = 1, so that the risk k - 2 a^2 M(a, x) is 2 + (k-2) x M(k/2, x): positive terms only.
//   * The positive part saves E[4 - (W-c)^2/W; W <= c], W = |X|^2, c = k-2 (Stein's identity for both estimators). As W is a Poisson
//     mixture of central laws, that is the sum over j of e^-x x^j/j! ((2 - 4j^2/(c+2j)) P[chi2_m <= c] + 2j m t/(c+2j)), m = k+2j,
//     t = P[chi2_m <= c] - P[chi2_(m+2) <= c]: at m = 0 the risk is 2 P[chi2_k > k-2].
//
// Theorem  James & Stein (1961); Baranchik (1964) for the positive part; Lee, Lemma B.1.
// Domain   3 <= k <= 10^7 (inverse_chi2_mean also real k > 2), 0 <= noncentrality <= 10^200. Outside: NaN.
// Error    relative 1e-14 (positive part 1e-12).
// Cost     at most 2 microseconds; the positive part has up to 10 sqrt(k) terms: 0.1 ms at k = 10^6 (bench/estimate_bench.cc).
// Checked  tests/planning/james_stein_risk_test.cc: against MPFR, quadrature, and closed forms at 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tacet::planning {

double inverse_chi2_mean(double k, double noncentrality);
double james_stein_risk(double k, double noncentrality);
double positive_part_risk(double k, double noncentrality);

}  // namespace tacet::planning
