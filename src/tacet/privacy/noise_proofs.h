// tacet/privacy/noise_proofs.h: does this noise keep this promise? Decided between integers; "yes" is a proof.
//
//   gaussian_keeps(mpq_class(1, 16), 1, mpq_class(1, 10'000));       // mu = 1/4: is it (1, 10^-4)-DP?
//
// What noise gives away and what was promised are exact rationals; mu is given by its square. Each function decides one inequality
// from enclosures of both of its sides (exact/normal_bounds.h, exact/exp_bounds.h). Floating point only guesses where to look.
//
// Error    one-sided: "no" although true only where both sides agree to a relative 2^-100 or so; the rule for tables as it says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

namespace tacet::privacy {

/// Is every mu-GDP mechanism, such as Gaussian noise of scale l2/mu, (epsilon, delta)-DP?
/// Theorem  Balle & Wang (2018), Theorem 8; Dong, Roth & Su (2022), Corollary 1: if and only if with a = mu/2 - epsilon/mu, b = mu - a
///          delta >= Phi(a) - e^epsilon Phi(-b). By b^2 - a^2 = 2 epsilon the last term is exp(-a^2/2) times Phi(-b) exp(b^2/2).
/// Domain   mu^2, epsilon and delta greater than 0; else no.      Error  above.
/// Cost     60 microseconds at delta = 10^-6, 5 ms at 10^-300.    Checked  tests/currency/noise_proofs_test.cc, against MPFR.
bool gaussian_keeps(const mpq_class& mu_squared, const mpq_class& epsilon, const mpq_class& delta);

/// Is every epsilon-DP mechanism mu-GDP?
/// Theorem  Lee et al. (2022), (12): if and only if epsilon <= log(Phi(mu/2)/Phi(-mu/2)). With m = mu/2 and T = Phi(-m) exp(m^2/2) <= 1/2 that
///          is exp(m^2/2 - epsilon) (1 - Phi(-m)) >= T, which holds for epsilon <= m^2/2.
/// Domain   epsilon at least 0, mu^2 greater than 0; else no.     Error  above.
/// Cost     60 microseconds.                                      Checked  as above.
bool pure_keeps_mu(const mpq_class& epsilon, const mpq_class& mu_squared);

/// Is Laplace noise of scale l1/ratio on one or two numbers mu-GDP?
/// Theorem  Lee et al. (2022), Proposition 9 and Theorem 11: if and only if exp(-ratio/2) >= 2 Phi(-mu/2); with m and T as above, if
///          ratio <= m^2 or exp((m^2 - ratio)/2) >= 2 T.
/// Domain   ratio at least 0, mu^2 greater than 0; else no.       Error  above.
/// Cost     40 microseconds.                                      Checked  as above.
bool laplace_keeps_mu(const mpq_class& ratio, const mpq_class& mu_squared);

/// What Laplace noise on one number that a person moves by `shift` scales gives away, in rho and in mu^2. Both add up over numbers, and are
/// convex and increasing functions f of the shift with f(0) = 0. So among all moves with |x_j| <= a_j and sum |x_j| <= b the worst is to move
/// the numbers with the largest a_j as far as each can go, until b is used up (it majorizes the others weakly: Marshall, Olkin & Arnold 2011,
/// 4.B.2); where b alone is known, one number moves by b.
/// Theorem  rho: h(x) = x + e^-x - 1. Renyi divergences satisfy D_a <= a h(x) at every order a > 1, with equality as a falls to 1 (Harrison &
///          Manurangsi 2025, arXiv:2510.25746), and those of independent noise add up. h' = 1 - e^-x >= 0 rises. h(x)/x^2 falls, since
///          x h' - 2h = 2 - x - (2 + x) e^-x has the derivative (1 + x) e^-x - 1 <= 0: so h(kx) <= k^2 h(x) for k >= 1.
///          mu: g(x) = m^2 with x = -2 log(2 Phi(-m/2)) (Lee et al. 2022, Proposition 9); squares of m add up (Dong, Roth & Su 2022,
///          Corollary 2). With m = 2t the slope of g is 4t/l(t), l = phi(t)/Phi(-t), and (t/l)' = (1 - t (l - t))/l > 0, as
///          l < t + 1/t (Gordon 1941). g(x) <= 4x, since Phi(-t) <= exp(-t^2/2)/2.
/// Domain   shift at least 0; mu^2: beyond 10^-15 to 700, 4x is returned.
/// Error    one-sided, up: a relative 2^-60 in rho and 2^-37 in mu^2.
/// Cost     5 microseconds; mu^2 50 microseconds.                 Checked  as above, and tests/kernel/laplace_price_test.cc by search over neighbours.
mpq_class laplace_rho_up(const mpq_class& shift);
mpq_class laplace_mu_squared_up(const mpq_class& shift);

/// Is Laplace noise of scale l1/ratio on a table, of which neighbours differ by (l1/2)(e_i - e_j), mu-GDP?
/// Theorem  Lee et al. (2022), (16) with its misprint corrected, (17) and Algorithm 1, in the dual: T_b >= G_mu if and only if
///          delta_b(epsilon) <= delta_mu(epsilon) for all epsilon >= 0 (Dong, Roth & Su 2022, primal to dual), and with d = ratio/2 and
///          w = d - epsilon/2 the left side is 1 - e^-w (1 + w/2). The proof is a cover of [0, 2d] by cells: on each, the chord of
///          delta_b as a convex function of e^epsilon lies below a line Phi(mu - c) - e^epsilon Phi(-c), which is the excess of
///          one test and so below delta_mu.
/// Domain   0 < ratio <= 1000 (the largest that keeps mu = 40 is about 400), 10^-9 <= mu <= 40; else no.
/// Error    one-sided: surely yes where the scale is above the least one by a relative 2^-41; 2^-44 is nearly always enough.
/// Cost     200 to 300 cells: about 20 ms at mu = 1, 2 s at mu = 40.       Checked  as above, and tests/accounting/laplace_gdp_test.cc.
bool laplace_table_keeps_mu(const mpq_class& ratio, const mpq_class& mu_squared);

/// The same inequality at one epsilon, by the test that suits it: for those who look for the least scale. Contract as above, but for the cost:
/// 60 microseconds.
bool laplace_table_keeps_mu_at(const mpq_class& ratio, const mpq_class& mu_squared, double epsilon);

}  // namespace tacet::privacy
