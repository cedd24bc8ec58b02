// tacet/privacy/pure_as_gdp.h: the mu of a pure loss, as a decimal for the ledger.
//
//   Decimal mu = *mu_of_pure_up(*Decimal::parse("1"));      // 1.2320353854
//
// The ledger needs the same decimal on every machine, so that totals can be derived again from the
// losses. So integers decide the inequality (privacy/noise_proofs.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"

namespace tacet::privacy {

/// The least mu, to 10^-10 of the decade of epsilon, for which epsilon-DP implies mu-GDP.
/// Theorem  Lee et al. (2022), (12): it is if and only if epsilon <= log(Phi(mu/2)/Phi(-mu/2)).
/// Domain   0 < epsilon <= 100; below 1e-9 it counts as 1e-9. Outside: InvalidArgument.
/// Error    one-sided: never below the true mu, and above it by at most a relative 1e-9.
/// Cost     2 ms at epsilon = 1, 7 ms at 100; nothing if a thread repeats its last epsilon.
/// Checked  tests/currency/pure_as_gdp_test.cc, against accounting/conversion.h and so MPFR.
Result<Decimal> mu_of_pure_up(const Decimal& epsilon);

}  // namespace tacet::privacy
