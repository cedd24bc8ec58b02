// tacet/accounting/composition_basic.h: the total loss of many releases, by closed formulas.
//
// For parameters that were fixed before the first release. If an analyst chooses them as results
// come in, only a filter or an odometer is valid (filter.h, odometer.h). For fixed parameters
// composition_optimal.h is never worse than the rules here.
//
//   LossList losses = *LossList::of({*LossTerm::of(0.1, 0, 30)});
//   basic_composition(losses).epsilon;                                // 3, exactly
//   advanced_epsilon(losses, *Delta::parse("1e-6"));                  // 3.02899...
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tacet/accounting/losses.h"
#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {

struct ExactGuarantee {
  Decimal epsilon, delta;
};

/// The sum of the epsilons and the sum of the deltas.
/// Theorem  Dwork et al. (2006); Rogers, Theorem 2.1.4.
/// Domain   every LossList. A delta of 1 or more is possible, and promises nothing.
/// Error    none: exact decimals.
/// Cost     one exact product and sum per term.
/// Checked  tests/accounting/composition_basic_test.cc: independent values, 3 times 0.1 is 0.3.
ExactGuarantee basic_composition(const LossList& losses);

/// epsilon_g = sum of e_i tanh(e_i / 2) + sqrt(2 log(1/d) sum of e_i^2), where d solves
/// 1 - (1 - d) prod (1 - delta_i) = delta_g.
/// Theorem  Dwork, Rothblum & Vadhan (2010), Kairouz, Oh & Viswanath (2015); Rogers, Theorem
///          2.1.5.
/// Domain   0 < delta_g < 1, and delta_g > 1 - prod (1 - delta_i). Outside: InvalidArgument.
/// Error    one-sided: never below the formula, at most a relative 2^-40 and an absolute 10^-15
///          above.
/// Cost     a few library calls per distinct epsilon; about a microsecond each.
/// Checked  tests/accounting/composition_basic_test.cc: independent values to 1e-9, monotone,
///          never below the optimal rule.
Result<double> advanced_epsilon(const LossList& losses, const privacy::Delta& delta_g);

/// `times` rho-zCDP mechanisms together are (sum of times rho)-zCDP.
/// Theorem  Bun & Steinke (2016), Lemma 1.7; Rogers, Theorem 2.2.5. Also valid as a filter (Rogers
///          5.7).
/// Domain   1 to 10^6 terms, times between 1 and 10^9. Outside: InvalidArgument.
/// Error    none: an exact decimal.
/// Cost     one exact product and sum per term.
/// Checked  tests/accounting/composition_basic_test.cc.
struct ZcdpTerm {
  privacy::Rho rho;
  std::uint64_t times;
};
Result<privacy::Rho> zcdp_composition(const std::vector<ZcdpTerm>& terms);

/// `times` mu-GDP mechanisms together are sqrt(sum of times mu^2)-GDP.
/// Theorem  Dong, Roth & Su (2022), Corollary 2. Also valid as a filter (Smith & Thakurta 2022,
///          arXiv:2210.17520).
/// Domain   1 to 10^6 terms, times between 1 and 10^9. Outside: InvalidArgument.
/// Error    mu_squared: none, an exact decimal; mu: the least double with at least that square.
/// Cost     one exact product and sum per term.
/// Checked  tests/accounting/composition_basic_test.cc.
struct GdpTerm {
  privacy::Mu mu;
  std::uint64_t times;
};
struct GdpTotal {
  Decimal mu_squared;
  double mu;
};
Result<GdpTotal> gdp_composition(const std::vector<GdpTerm>& terms);

}  // namespace tacet::accounting
