// tacet/planning/james_stein_risk.h: the exact expected squared error of James-Stein shrinkage.
//
// X is normal in k dimensions with mean m and covariance I, and noncentrality = |m|^2. Then |X|^2
// is noncentral chi-square, and
//
//   inverse_chi2_mean(k, |m|^2)    E[1/|X|^2]
//   james_stein_risk(k, |m|^2)     E|(1 - (k-2)/|X|^2) X - m|^2, below k for every m
//   positive_part_risk(k, |m|^2)   the same with a factor of at least 0, below that for every m
//
//   // js0 of a table of p cells, with squared_length the sum of their squares
//   const double p = 6, sigma = 14, squared_length = 1e5;
//   double cost = sigma * sigma * james_stein_risk(p, squared_length / (sigma * sigma));
//
// Theorem  James & Stein (1961); Baranchik (1964) for the positive part; Lee, Lemma B.1. The
//          series in that lemma overflows and cancels; docs/explanation/james_stein_risk.md has
//          the formulas in its place.
// Domain   3 <= k <= 10^7 (inverse_chi2_mean also real k > 2), 0 <= noncentrality <= 10^200.
//          Outside: NaN.
// Error    relative 1e-14 (positive part 1e-12).
// Cost     at most 2 microseconds; the positive part has up to 10 sqrt(k) terms: 0.1 ms at k =
//          10^6 (bench/estimate_bench.cc).
// Checked  tests/planning/james_stein_risk_test.cc: against MPFR, quadrature, and closed forms at
//          0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tacet::planning {

double inverse_chi2_mean(double k, double noncentrality);
double james_stein_risk(double k, double noncentrality);
double positive_part_risk(double k, double noncentrality);

}  // namespace tacet::planning
