// tacet/privacy/laplace_gdp.h: how much Laplace noise makes a release mu-GDP.
//
// Independent Laplace noise of scale b on every coordinate of a statistic whose L1 sensitivity is l1. Three proven rules, from
// the most general to the sharpest, so that the scale falls down the list:
//
//   laplace_scale_universal               any statistic          b = l1 / log(Phi(mu/2) / Phi(-mu/2))
//   laplace_scale_one_or_two_dimensional  at most two numbers    b = l1 / (-2 log(2 Phi(-mu/2)))
//   laplace_scale_table                   a table of counts      the least b with T_b >= G_mu
//
//   LaplaceScale scale = *laplace_scale_table(*Mu::parse("1"), Decimal(2));   // 1.3589...
//   Loss loss = loss_of(scale);                                               // mu = 1, chargeable to a mu or a rho budget
//
// The second formula is conjectured to hold in any dimension (Lee et al., Conjecture 12). laplace_scale_by_conjecture_12 computes
// it, to look at; what it returns cannot be turned into a Loss (tests/compile_fail/charge_for_a_conjecture.cc).
//
// All scales are rounded up. The inequality that defines a scale is decided between integers that enclose both of its sides
// (exact/normal_bounds.h, exact/exp_bounds.h); no floating-point function is trusted, they only guess where to look.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"

namespace tacet::privacy {

enum class LaplaceRule : std::uint8_t { Universal, OneOrTwoDimensional, Table };
std::string_view name(LaplaceRule rule);  // "universal", "one-dimensional", "table"

/// A scale with a proof that it keeps mu-GDP. Made by the functions below alone.
class LaplaceScale {
 public:
  double value() const { return value_; }
  LaplaceRule rule() const { return rule_; }
  const Mu& mu() const { return mu_; }

 private:
  friend Result<LaplaceScale> laplace_scale_universal(const Mu& mu, const Decimal& l1);
  friend Result<LaplaceScale> laplace_scale_one_or_two_dimensional(const Mu& mu, const Decimal& l1, std::size_t dimension);
  friend Result<LaplaceScale> laplace_scale_table(const Mu& mu, const Decimal& l1);
  LaplaceScale(double value, LaplaceRule rule, Mu mu) : value_(value), rule_(rule), mu_(std::move(mu)) {}
  double value_;
  LaplaceRule rule_;
  Mu mu_;
};

/// The loss of one release with this scale: mu-GDP. It may be charged as a Gaussian's, also in rho: what is mu-GDP is a
/// post-processing of N(0,1) against N(mu,1) (Blackwell's theorem; Dong, Roth & Su 2022, section 2.3), so that it is mu^2/2-zCDP.
Loss loss_of(const LaplaceScale& scale);

/// A scale that is conjectured, not proven, to keep mu-GDP. To be shown, not to be used.
class ConjecturedLaplaceScale {
 public:
  double value() const { return value_; }

 private:
  friend Result<ConjecturedLaplaceScale> laplace_scale_by_conjecture_12(const Mu& mu, const Decimal& l1);
  explicit ConjecturedLaplaceScale(double value) : value_(value) {}
  double value_;
};

/// For any statistic: the noise is epsilon-DP with the largest epsilon that implies mu-GDP.
/// Theorem  Lee et al. (2022), (12): every epsilon-DP mechanism is mu-GDP if and only if epsilon <= log(Phi(mu/2)/Phi(-mu/2)).
/// Domain   1e-9 <= mu <= 40; 1e-100 <= l1 <= 1e100. Outside: InvalidArgument.
/// Error    one-sided: never below the true scale, and the least double above it (at most 2.3e-16 relative), but for ties below 2^-60.
/// Cost     about 60 decisions between integers: 0.1 ms at mu = 1, 0.5 ms at mu = 40.
/// Checked  tests/privacy/laplace_gdp_test.cc, against MPFR and independent values.
Result<LaplaceScale> laplace_scale_universal(const Mu& mu, const Decimal& l1);

/// For one or two numbers (dimension 1 or 2), whatever their sensitivity.
/// Theorem  Lee et al. (2022), Proposition 9 and Theorem 11. In more dimensions: Unsupported, since it is Conjecture 12.
/// Domain   as above.      Error   as above.      Cost   as above.
/// Checked  tests/privacy/laplace_gdp_test.cc, against MPFR and independent values.
Result<LaplaceScale> laplace_scale_one_or_two_dimensional(const Mu& mu, const Decimal& l1, std::size_t dimension);

/// For a table of counts of any size under replace-one: neighbours differ by (l1/2)(e_i - e_j), where l1 is 2 for plain counts.
/// Theorem  Lee et al. (2022), (16) with its misprint corrected, (17) and Algorithm 1, which is solved in the dual: T_b >= G_mu if and
///          only if delta_b(epsilon) <= delta_mu(epsilon) for all epsilon >= 0 (Dong, Roth & Su 2022, primal to dual), and with d =
///          l1/(2b), w = d - epsilon/2 the left side is 1 - e^-w (1 + w/2). The proof for a returned b is a cover of [0, 2d] by cells: on
///          each, the chord of delta_b as a convex function of e^epsilon lies below a line Phi(mu - c) - e^epsilon Phi(-c), which is
///          the excess of one test and so below delta_mu.
/// Domain   as above.
/// Error    one-sided: never below the true scale, and at most 5e-13 above it, relative.
/// Cost     200 to 300 cells: about 20 ms at mu = 1, 2 s at mu = 40.
/// Checked  tests/privacy/laplace_gdp_test.cc, against MPFR and independent values.
Result<LaplaceScale> laplace_scale_table(const Mu& mu, const Decimal& l1);

/// The formula of one and two dimensions, in any dimension.
/// Theorem  none: Lee et al. (2022), Conjecture 12. It would follow from Theorem 11, used on two coordinates at a time, since by
///          Blackwell's theorem T(P, Q) >= T(P', Q') implies T(P x R, Q x S) >= T(P' x R, Q' x S). Until that proof has been refereed the
///          result stays here.
/// Domain   as above.      Error   of the formula: as above.      Cost   as above.
/// Checked  tests/privacy/laplace_gdp_test.cc, and tests/accounting/tradeoff_test.cc on random shifts in three to six dimensions.
Result<ConjecturedLaplaceScale> laplace_scale_by_conjecture_12(const Mu& mu, const Decimal& l1);

}  // namespace tacet::privacy
