// tacet/privacy/noise_proofs.h: proves with integers that noise keeps a promise.
//
//   gaussian_keeps(mpq_class(1, 16), 1, mpq_class(1, 10'000));   // mu = 1/4: is it (1, 10^-4)-DP?
//
// Arguments are exact rationals; mu is given by its square. Each function decides one inequality
// from enclosures of both sides (exact/enclosures.h). "True" is a proof.
// Floating point only guesses where to look.
// Error    one-sided: false although true only if both sides agree to about a relative 2^-100.
// Checked  tests/currency/noise_proofs_test.cc, against MPFR.
// Derivation  docs/explanation/noise_proofs.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"

namespace tacet::privacy {

/// Is every mu-GDP mechanism, such as Gaussian noise of scale l2/mu, (epsilon, delta)-DP?
/// Theorem  Balle & Wang (2018), Theorem 8; Dong, Roth & Su (2022), Corollary 1: if and only if
///          delta >= Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
/// Domain   mu^2, epsilon, delta > 0; else false.   Cost  60 us at delta = 10^-6, 5 ms at 10^-300.
bool gaussian_keeps(const mpq_class& mu_squared, const mpq_class& epsilon, const mpq_class& delta);

/// Is every epsilon-DP mechanism mu-GDP?
/// Theorem  Lee et al. (2022), (12): if and only if epsilon <= log(Phi(mu/2)/Phi(-mu/2)).
/// Domain   epsilon >= 0, mu^2 > 0; else false.        Cost  60 us.
bool pure_keeps_mu(const mpq_class& epsilon, const mpq_class& mu_squared);

/// The least mu, to 10^-10 of the decade of epsilon, for which pure_keeps_mu: as a decimal for the
/// ledger, the same on every machine, so that totals can be derived again from the losses.
/// Domain   0 < epsilon <= 100; below 1e-9 it counts as 1e-9. Outside: InvalidArgument.
/// Error    one-sided: never below the true mu, and above it by at most a relative 1e-9.
/// Cost     2 ms at epsilon = 1, 7 ms at 100.       Checked  tests/currency/pure_as_gdp_test.cc
Result<Decimal> mu_of_pure_up(const Decimal& epsilon);

/// Is Laplace noise of scale l1/ratio on one or two numbers mu-GDP?
/// Theorem  Lee et al. (2022), Prop. 9, Theorem 11: if and only if e^-(ratio/2) >= 2 Phi(-mu/2)
/// Domain   ratio >= 0, mu^2 > 0; else false.          Cost  40 us.
bool laplace_keeps_mu(const mpq_class& ratio, const mpq_class& mu_squared);

/// Upper bounds on the rho and mu^2 of Laplace noise on one number that changes by `shift` scales.
/// Both add up over numbers, and are convex, increasing and 0 at 0. So of all changes |x_j| <= a_j
/// with sum |x_j| <= b, those at the largest a_j cost most.
/// Theorem  rho: x + e^-x - 1 (Harrison & Manurangsi 2025, arXiv:2510.25746). mu^2: m^2 where
///          x = -2 log(2 Phi(-m/2)) (Lee et al. 2022, Proposition 9).
/// Domain   shift >= 0; mu^2: for a shift x outside 10^-15 to 700 the result is 4x.
/// Error    one-sided, up: a relative 2^-60 in rho and 2^-37 in mu^2.      Cost  5 us; mu^2 50 us.
/// Checked  also tests/kernel/laplace_price_test.cc, by search over neighbours.
mpq_class laplace_rho_up(const mpq_class& shift);
mpq_class laplace_mu_squared_up(const mpq_class& shift);

/// Is Laplace noise of scale l1/ratio on a table mu-GDP? Neighbours differ by (l1/2)(e_i - e_j).
/// Theorem  Lee et al. (2022), (16) with its misprint corrected, (17) and Algorithm 1, in the dual
///          (Dong, Roth & Su 2022). The proof covers the range of epsilon by cells.
/// Domain   0 < ratio <= 1000 (mu = 40 needs about 400), 10^-9 <= mu <= 40; else false.
/// Error    one-sided: true if the scale exceeds the least one by a relative 2^-41; mostly 2^-44.
/// Cost     20 ms at mu = 1, 2 s at mu = 40.   Checked  also tests/accounting/laplace_gdp_test.cc
bool laplace_table_keeps_mu(const mpq_class& ratio, const mpq_class& mu_squared);

/// The same inequality at one epsilon, to search for the least scale. Cost  60 us.
bool laplace_table_keeps_mu_at(const mpq_class& ratio, const mpq_class& mu_squared, double epsilon);

}  // namespace tacet::privacy
