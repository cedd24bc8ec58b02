// tacet/accounting/laplace_gdp.h: the scale of Laplace noise that makes a release mu-GDP.
//
// The noise is independent, with scale b, on every coordinate of a statistic with L1 sensitivity
// l1. There are three proven rules, from the most general to the sharpest, with decreasing scales:
//
//   laplace_scale_universal               any statistic        b = l1 / log(Phi(mu/2)/Phi(-mu/2))
//   laplace_scale_one_or_two_dimensional  at most two numbers  b = l1 / (-2 log(2 Phi(-mu/2)))
//   laplace_scale_table                   a table of counts    the least b with T_b >= G_mu
//
//   LaplaceScale scale = *laplace_scale_table(*Mu::parse("1"), Decimal(2));   // 1.3589...
//   Loss loss = loss_of(scale);                  // mu = 1, chargeable to a mu or a rho budget
//
// The second formula is conjectured to hold in any dimension (Lee et al., Conjecture 12).
// laplace_scale_by_conjecture_12 computes it for information; its result cannot be turned into a
// Loss (tests/compile_fail/charge_for_a_conjecture.cc).
//
// All scales are rounded up: each is the least that privacy/noise_proofs.h proves with integers.
// Floating-point functions only guess where to search. A release proves its scale again before
// noise is drawn (kernel/scale_check.h), so privacy does not rest on this file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tacet/base/decimal.h"
#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {

enum class LaplaceRule : std::uint8_t { Universal, OneOrTwoDimensional, Table };
constexpr auto names_of(LaplaceRule) {
  return std::to_array<Named<LaplaceRule>>(
      {{LaplaceRule::Universal, "universal"}, {LaplaceRule::OneOrTwoDimensional, "one-dimensional"}, {LaplaceRule::Table, "table"}});
}

/// A scale with a proof that it keeps mu-GDP. Only the functions below make one.
class LaplaceScale {
 public:
  double value() const { return value_; }
  LaplaceRule rule() const { return rule_; }
  const privacy::Mu& mu() const { return mu_; }

 private:
  friend Result<LaplaceScale> laplace_scale_universal(const privacy::Mu& mu, const Decimal& l1);
  friend Result<LaplaceScale> laplace_scale_one_or_two_dimensional(const privacy::Mu& mu, const Decimal& l1, std::size_t dimension);
  friend Result<LaplaceScale> laplace_scale_table(const privacy::Mu& mu, const Decimal& l1);
  LaplaceScale(double value, LaplaceRule rule, privacy::Mu mu) : value_(value), rule_(rule), mu_(std::move(mu)) {}
  double value_;
  LaplaceRule rule_;
  privacy::Mu mu_;
};

/// The loss of one release with this scale: mu-GDP. It may be charged like a Gaussian loss, also
/// in rho: a mu-GDP mechanism is a post-processing of N(0,1) against N(mu,1) (Blackwell's theorem;
/// Dong, Roth & Su 2022, section 2.3), so it is mu^2/2-zCDP.
privacy::Loss loss_of(const LaplaceScale& scale);

/// A scale that is conjectured, not proven, to keep mu-GDP. It may be shown, not used.
class ConjecturedLaplaceScale {
 public:
  double value() const { return value_; }

 private:
  friend Result<ConjecturedLaplaceScale> laplace_scale_by_conjecture_12(const privacy::Mu& mu, const Decimal& l1);
  explicit ConjecturedLaplaceScale(double value) : value_(value) {}
  double value_;
};

/// For any statistic: the noise is epsilon-DP with the largest epsilon that implies mu-GDP.
/// Theorem  Lee et al. (2022), (12): every epsilon-DP mechanism is mu-GDP if and only if
///          epsilon <= log(Phi(mu/2)/Phi(-mu/2)).
/// Domain   1e-9 <= mu <= 40; 1e-100 <= l1 <= 1e100. Outside: InvalidArgument.
/// Error    one-sided: never below the true scale, and the least double above it (at most 2.3e-16
///          relative), except for ties below 2^-60.
/// Cost     about 60 decisions between integers: 0.1 ms at mu = 1, 0.5 ms at mu = 40.
/// Checked  tests/accounting/laplace_gdp_test.cc, against MPFR and independent values.
Result<LaplaceScale> laplace_scale_universal(const privacy::Mu& mu, const Decimal& l1);

/// For one or two numbers (dimension 1 or 2), with any sensitivity.
/// Theorem  Lee et al. (2022), Proposition 9 and Theorem 11. In more dimensions: Unsupported,
///          because it is only Conjecture 12.
/// Domain   as above.      Error   as above.      Cost   as above.
/// Checked  tests/accounting/laplace_gdp_test.cc, against MPFR and independent values.
Result<LaplaceScale> laplace_scale_one_or_two_dimensional(const privacy::Mu& mu, const Decimal& l1, std::size_t dimension);

/// For a table of counts of any size under replace-one: neighbours differ by (l1/2)(e_i - e_j) for
/// unit vectors e_i, e_j; l1 is 2 for plain counts.
/// Theorem  that of laplace_table_keeps_mu (privacy/noise_proofs.h), which proves each scale.
/// Domain   as above.
/// Error    one-sided: never below the true scale, and at most 5e-13 above it, relative.
/// Cost     200 to 300 cells: about 20 ms at mu = 1, 2 s at mu = 40.
/// Checked  tests/accounting/laplace_gdp_test.cc, against MPFR and independent values.
Result<LaplaceScale> laplace_scale_table(const privacy::Mu& mu, const Decimal& l1);

/// The mu of a table with Laplace noise of scale l1/epsilon, as a decimal of 11 digits: the
/// inverse of laplace_scale_table.
/// Theorem  as above.
/// Domain   epsilon with a mu between 1e-9 and 40, about 1e-9 to 400. Outside: InvalidArgument.
/// Error    one-sided: never below the true mu, and at most 3e-10 above it, relative.
/// Cost     as above.
/// Checked  tests/accounting/laplace_gdp_test.cc, against laplace_scale_table.
Result<Decimal> laplace_table_mu(const Decimal& epsilon);

/// The mu of one or two numbers with Laplace noise of scale l1/epsilon, as a decimal of 11 digits:
/// the inverse of laplace_scale_one_or_two_dimensional. In more dimensions this is the mu of
/// Conjecture 12.
/// Theorem  Lee et al. (2022), Proposition 9 and Theorem 11.
/// Domain   epsilon from 1e-14 to 400. Outside: InvalidArgument.
/// Error    one-sided: never below the true mu, and at most 3e-10 above it, relative.
/// Cost     0.2 ms.
/// Checked  tests/accounting/laplace_gdp_test.cc, against laplace_scale_one_or_two_dimensional.
Result<Decimal> laplace_numbers_mu(const Decimal& epsilon);

/// The formula of one and two dimensions, in any dimension.
/// Theorem  none: Lee et al. (2022), Conjecture 12. Two arguments would imply it. One is Theorem
///          11 on two coordinates at a time: by Blackwell's theorem T(P, Q) >= T(P', Q') implies
///          T(P x R, Q x S) >= T(P' x R, Q' x S). The other is composition with the convexity of
///          mu^2 in the shift (laplace_mu_squared_up in privacy/noise_proofs.h). The result stays
///          here until a proof has been refereed.
/// Domain   as above.      Error   of the formula: as above.      Cost   as above.
/// Checked  tests/accounting/laplace_gdp_test.cc; tests/accounting/tradeoff_test.cc on random
///          shifts in three to six dimensions.
Result<ConjecturedLaplaceScale> laplace_scale_by_conjecture_12(const privacy::Mu& mu, const Decimal& l1);

}  // namespace tacet::accounting
